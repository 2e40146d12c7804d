import type { CommandMetadata } from '../../../contracts/decider';
import { earlyPaymentStream } from '../../../contracts/events/early-payment';
import { feeStream } from '../../../contracts/events/fee';
import { feeId } from '../../../contracts/http/billing-fields';
import { amountOf } from '../../../contracts/money';
import type { TonNetwork } from '../../../contracts/network';
import { carryOutFees, type FeeDeps } from '../fee/commands';
import { feeKind } from '../fee/decider';
import { load } from '../load';
import { earlyPaymentKind } from './early/decider';
import type { Payment } from './payment';
import { keyOf, type FeePayment } from './policy';

/** What became of a payment; all but the first leave every fee as it is. */
export const OUTCOMES = [
  'collected',
  'collected before',
  'wrong asset',
  'no such fee',
  'not pending',
  'nothing to pay',
  'too little',
] as const;
export type PaymentOutcome = (typeof OUTCOMES)[number];

export interface SettleDeps extends FeeDeps {
  readonly ways: readonly FeePayment[];
  /** The wallet (raw) that a jetton's master has for an owner: what it says itself. */
  readonly jettonWallet: (network: TonNetwork, master: string, owner: string) => Promise<string>;
}

/**
 * Collects the fee that a payment names, if the payment is of an asset that is taken at its address, and of at least the
 * amount of the fee. Again changes nothing. A payment for a fee that there is not yet is noted for when it is recorded.
 * @throws Error when others kept changing the fee, to be tried again
 */
export async function settle(
  deps: SettleDeps,
  payment: Payment,
  metadata: CommandMetadata,
): Promise<PaymentOutcome> {
  const way = await wayOf(deps, payment);
  if (!way) return 'wrong asset';
  if (!feeId.safeParse(payment.memo).success) return 'no such fee';
  const outcome = await collect(deps, way, payment, metadata);
  if (outcome !== 'no such fee') return outcome;
  await note(deps, payment, metadata);
  // Whoever records the fee looks for the note afterwards: one of the two sees what the other has written.
  return collect(deps, way, payment, metadata);
}

async function collect(
  deps: SettleDeps,
  { decimals }: FeePayment,
  { memo: id, ...payment }: Payment,
  metadata: CommandMetadata,
): Promise<PaymentOutcome> {
  const fee = await load(deps.store, feeKind, feeStream(id));
  if (!fee) return 'no such fee';
  if (fee.status === 'collected') return 'collected before';
  if (fee.status !== 'pending') return 'not pending';
  if (amountOf(fee.facts.fee_amount) <= 0n) return 'nothing to pay';
  if (!covers(payment.amount, decimals, fee.facts.fee_amount)) return 'too little';

  const { results } = await carryOutFees(deps, [{ action: 'collect', id }], { ...metadata, payment });
  const { result, problem } = results[0]!;
  if (result === 'recorded') return 'collected';
  if (result === 'unchanged') return 'collected before';
  if (problem?.code === 'version_conflict') throw new Error(problem.detail);
  return 'not pending';
}

async function note(
  { handle }: SettleDeps,
  { memo, ...payment }: Payment,
  metadata: CommandMetadata,
): Promise<void> {
  await handle(earlyPaymentKind, earlyPaymentStream(memo), { type: 'note', payment, metadata });
}

/** The fee has up to 18 places after the point, and the asset as many as it has: both are compared as integers. */
function covers(amount: string, decimals: number, fee: string): boolean {
  return BigInt(amount) * amountOf('1') >= amountOf(fee) * 10n ** BigInt(decimals);
}

async function wayOf({ ways, jettonWallet }: SettleDeps, payment: Payment): Promise<FeePayment | null> {
  for (const way of ways) {
    if (keyOf(way) !== payment.account) continue;
    const asset =
      way.chain === 'ton' && way.asset !== 'native'
        ? await jettonWallet(way.network, way.asset, way.address)
        : way.asset;
    if (asset === payment.asset) return way;
  }
  return null;
}
