import type { CommandMetadata } from '../../../contracts/decider';
import { feeStream } from '../../../contracts/events/fee';
import { identifier } from '../../../contracts/http/billing-fields';
import { amountOf } from '../../../contracts/money';
import type { TonNetwork } from '../../../contracts/network';
import { carryOutFees, type FeeDeps } from '../fee/commands';
import { feeKind } from '../fee/decider';
import { load } from '../load';
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
 * amount of the fee. Again changes nothing.
 * @throws Error when others kept changing the fee, to be tried again
 */
export async function settle(
  deps: SettleDeps,
  payment: Payment,
  metadata: CommandMetadata,
): Promise<PaymentOutcome> {
  const way = await wayOf(deps, payment);
  if (!way) return 'wrong asset';
  const id = payment.memo;
  const fee = identifier.safeParse(id).success ? await load(deps.store, feeKind, feeStream(id)) : null;
  if (!fee) return 'no such fee';
  if (fee.status === 'collected') return 'collected before';
  if (fee.status !== 'pending') return 'not pending';
  if (amountOf(fee.facts.fee_amount) <= 0n) return 'nothing to pay';
  if (!covers(payment.amount, way.decimals, fee.facts.fee_amount)) return 'too little';

  const { results } = await carryOutFees(deps, [{ action: 'collect', id }], metadata);
  const { result, problem } = results[0]!;
  if (result === 'recorded') return 'collected';
  if (result === 'unchanged') return 'collected before';
  if (problem?.code === 'version_conflict') throw new Error(problem.detail);
  return 'not pending';
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
