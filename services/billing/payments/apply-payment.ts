import type { CommandMetadata } from '../../../contracts/decider';
import { feeStream } from '../../../contracts/events/fee';
import { unmatchedPaymentStream } from '../../../contracts/events/unmatched-payment';
import { feeId } from '../../../contracts/http/billing/fields';
import { amountOf } from '../../../contracts/money/money';
import type { TonNetwork } from '../../../contracts/network/network';
import { executeFees, type FeeDeps } from '../fee/commands';
import { feeKind } from '../fee/decider';
import { load } from '../../commands/load';
import type { Payment } from './payment';
import { keyOf, type PaymentMethod } from './payment-method';
import { unmatchedPaymentKind } from './unmatched/decider';

/** The outcome of a payment; all but `collected` leave every fee as it is. */
export const PAYMENT_OUTCOMES = [
  'collected',
  'already_collected',
  'wrong_asset',
  'fee_not_found',
  'fee_not_pending',
  'nothing_to_pay',
  'amount_too_small',
] as const;
export type PaymentOutcome = (typeof PAYMENT_OUTCOMES)[number];

export interface ApplyPaymentDeps extends FeeDeps {
  readonly paymentMethods: readonly PaymentMethod[];
  /** The jetton wallet (raw) of an owner, from the jetton master. */
  readonly jettonWallet: (network: TonNetwork, master: string, owner: string) => Promise<string>;
}

/**
 * Collects the fee that a payment names, if the payment is in an accepted asset and of at least the amount of the fee.
 * Idempotent. A payment for a fee that does not exist yet is recorded, and applied when the fee is recorded.
 * @throws Error on repeated version conflicts; the job is retried
 */
export async function applyPayment(
  deps: ApplyPaymentDeps,
  payment: Payment,
  metadata: CommandMetadata,
): Promise<PaymentOutcome> {
  const method = await methodOf(deps, payment);
  if (!method) return 'wrong_asset';
  if (!feeId.safeParse(payment.memo).success) return 'fee_not_found';
  const outcome = await collect(deps, method, payment, metadata);
  if (outcome !== 'fee_not_found') return outcome;
  await recordUnmatched(deps, payment, metadata);
  // A fee recorded meanwhile is either found by this attempt, or its reaction finds the unmatched payment.
  return collect(deps, method, payment, metadata);
}

async function collect(
  deps: ApplyPaymentDeps,
  { decimals }: PaymentMethod,
  { memo: id, ...payment }: Payment,
  metadata: CommandMetadata,
): Promise<PaymentOutcome> {
  const fee = await load(deps.store, feeKind, feeStream(id));
  if (!fee) return 'fee_not_found';
  if (fee.status === 'collected') return 'already_collected';
  if (fee.status !== 'pending') return 'fee_not_pending';
  if (amountOf(fee.facts.fee_amount) <= 0n) return 'nothing_to_pay';
  if (!covers(payment.amount, decimals, fee.facts.fee_amount)) return 'amount_too_small';

  const { results } = await executeFees(deps, [{ action: 'collect', id }], { ...metadata, payment });
  const { result, problem } = results[0]!;
  if (result === 'recorded') return 'collected';
  if (result === 'unchanged') return 'already_collected';
  if (problem?.code === 'version_conflict') throw new Error(problem.detail);
  return 'fee_not_pending';
}

async function recordUnmatched(
  { handle }: ApplyPaymentDeps,
  { memo, ...payment }: Payment,
  metadata: CommandMetadata,
): Promise<void> {
  await handle(unmatchedPaymentKind, unmatchedPaymentStream(memo), { type: 'record', payment, metadata });
}

/** A fee has up to 18 decimals and an asset its own number of them, so both are compared as integers. */
function covers(amount: string, decimals: number, fee: string): boolean {
  return BigInt(amount) * amountOf('1') >= amountOf(fee) * 10n ** BigInt(decimals);
}

async function methodOf(
  { paymentMethods, jettonWallet }: ApplyPaymentDeps,
  payment: Payment,
): Promise<PaymentMethod | null> {
  for (const method of paymentMethods) {
    if (keyOf(method) !== payment.account) continue;
    const asset =
      method.chain === 'ton' && method.asset !== 'native'
        ? await jettonWallet(method.network, method.asset, method.address)
        : method.asset;
    if (asset === payment.asset) return method;
  }
  return null;
}
