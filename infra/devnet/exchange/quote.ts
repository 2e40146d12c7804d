import type { Currency } from './currencies';
import { formatUnits } from '../../../contracts/money/decimal';
import { divideUp } from './decimal';

/** In hundredths of a percent of the amount before fees. */
const CHANGELLY_FEE = 25n;
const API_EXTRA_FEE = 40n;
const FEE = CHANGELLY_FEE + API_EXTRA_FEE;
const WHOLE = 10_000n;

/** The fees as the API shows them: percents. */
export const CHANGELLY_FEE_PERCENT = '0.25';
export const API_EXTRA_FEE_PERCENT = '0.40';

/** What an amount buys. All but `amountFrom` is in smallest units of the currency that is bought. */
export interface Quote {
  readonly amountFrom: bigint;
  /** Before any fee. `visibleAmount` = `amountTo` + `fee`, to the unit. */
  readonly visibleAmount: bigint;
  /** Changelly's fee and the partner's extra fee together, rounded up. */
  readonly fee: bigint;
  /** The network fee of the payout is still to be deducted. */
  readonly amountTo: bigint;
}

const unit = (currency: Currency): bigint => 10n ** BigInt(currency.decimals);

export function quoteFrom(from: Currency, to: Currency, amountFrom: bigint): Quote {
  const visibleAmount = (amountFrom * from.price * unit(to)) / (to.price * unit(from));
  const fee = divideUp(visibleAmount * FEE, WHOLE);
  return { amountFrom, visibleAmount, fee, amountTo: visibleAmount - fee };
}

/** The least that buys this amount. */
export function quoteTo(from: Currency, to: Currency, amountTo: bigint): Quote {
  const visibleAmount = divideUp(amountTo * WHOLE, WHOLE - FEE);
  const amountFrom = divideUp(visibleAmount * to.price * unit(from), from.price * unit(to));
  return { amountFrom, visibleAmount, fee: visibleAmount - amountTo, amountTo };
}

const RATE_DECIMALS = 20;

/** Units bought for 1, before fees. */
export function rateOf(from: Currency, to: Currency): string {
  return formatUnits((from.price * 10n ** BigInt(RATE_DECIMALS)) / to.price, RATE_DECIMALS);
}

export type RateType = 'float' | 'fixed';

export interface Limits {
  readonly min: Quote;
  readonly max: Quote;
}

/** In micro-dollars. */
const LIMITS = {
  float: { min: 15_000_000n, max: 250_000_000_000n },
  fixed: { min: 25_000_000n, max: 100_000_000_000n },
} as const;

/** Limits have at most so many decimals. */
const LIMIT_DECIMALS = 6;

export function limitsOf(from: Currency, to: Currency, type: RateType): Limits {
  const step = 10n ** BigInt(Math.max(0, from.decimals - LIMIT_DECIMALS));
  const { min, max } = LIMITS[type];
  return {
    min: quoteFrom(from, to, divideUp(min * unit(from), from.price * step) * step),
    max: quoteFrom(from, to, ((max * unit(from)) / (from.price * step)) * step),
  };
}
