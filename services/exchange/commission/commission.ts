import { readDecimal } from '../../../contracts/money/decimal';
import type { ExchangeProgress } from '../../../contracts/events/exchange-order';
import { product, sum } from '../../../contracts/money/money';

/** Amounts of the ledger have at most as many decimals. */
const DECIMALS = 18;
const PERCENT = '0.01';

/**
 * Our part of a finished exchange, by what the partner says of it. `apiExtraFee` is a percentage of what was bought before any
 * fee was deducted: what was paid out, the fee of its network and all fees (https://docs.changelly.com/info/get-transactions).
 */
export interface Commission {
  /** In the currency of the payout: what was bought, before any fee. */
  readonly payout: string;
  /** A fraction of `payout`: 0.004 for 0.4 %. */
  readonly rate: string;
  /** In the currency of the payout, rounded half to even at 18 decimals. */
  readonly amount: string;
  /** What the partner wrote with more than 18 decimals: rounded half to even before anything is computed of it. */
  readonly rounded: readonly CommissionMember[];
}

type CommissionMember = 'amountTo' | 'networkFee' | 'totalFee' | 'apiExtraFee';

/** Whether the partner has said all that the commission follows from. */
export function isCommissionKnown(
  progress: Pick<ExchangeProgress, CommissionMember>,
): progress is Readonly<Record<CommissionMember, string>> {
  const { amountTo, networkFee, totalFee, apiExtraFee } = progress;
  return [amountTo, networkFee, totalFee, apiExtraFee].every(said => said !== null);
}

/** Null while the partner has not said all of it. @throws MalformedAmount */
export function commissionOf(progress: Pick<ExchangeProgress, CommissionMember>): Commission | null {
  if (!isCommissionKnown(progress)) return null;
  const { amountTo, networkFee, totalFee, apiExtraFee } = progress;
  const given = { amountTo, networkFee, totalFee, apiExtraFee };
  const rounded = (Object.keys(given) as CommissionMember[]).filter(
    member => checked(given[member], EXACT) !== checked(given[member]),
  );
  const payout = sum([amountTo, networkFee, totalFee].map(text => checked(text)));
  const rate = product(checked(apiExtraFee), PERCENT, DECIMALS);
  // Single fees may be negative: the partner has given something back.
  for (const value of [payout, rate]) if (value.startsWith('-')) throw new MalformedAmount(value);
  return { payout, rate, amount: product(payout, rate, DECIMALS), rounded };
}

/** More decimals than anything that is stored has. */
const EXACT = 40;

/** The partner wrote what is not an amount. */
export class MalformedAmount extends Error {
  override readonly name = 'MalformedAmount';
  constructor(text: string) {
    super(`not an amount: ${text.slice(0, 60)}`);
  }
}

function checked(text: string, decimals = DECIMALS): string {
  const amount = readDecimal(text, decimals);
  if (amount === null) throw new MalformedAmount(text);
  return amount;
}
