import { divideHalfEven } from '../../../contracts/money/decimal';
import { formatAmount, product } from '../../../contracts/money/money';

/** What a commission is worth: in TON, and in the currency of the ledger; decimals. */
export interface CommissionValue {
  readonly ton: string;
  readonly tonPrice: string;
  readonly feeAmount: string;
}

/** Of the unit of amounts, which is 10^-18. */
const PER_NANOTON = 10n ** 9n;
/** A millionth of the currency of the ledger. */
const DECIMALS = 6;

/**
 * By the rate of its quote and what a TON costs, rounded half to even at 18 decimals of a TON, and at 6 of the currency.
 * @param commission smallest units of the jetton @param rate integers @param tonPrice a decimal, in the currency of the ledger
 */
export function commissionValue(
  commission: string,
  rate: { readonly units: string; readonly nanotons: string },
  tonPrice: string,
): CommissionValue {
  const ton = formatAmount(
    divideHalfEven(BigInt(commission) * BigInt(rate.nanotons) * PER_NANOTON, BigInt(rate.units)),
  );
  return { ton, tonPrice, feeAmount: product(ton, tonPrice, DECIMALS) };
}
