import { fiatDecimals } from '../../../contracts/money/fiat-decimals';

/** In hundredths of the card's currency, whichever it is: prices of the double do not move. */
const PRICES: Readonly<Record<string, bigint>> = { TON: 300n, SOL: 15_000n };
const STABLE = 100n;

/** So many units of the account's currency are so many of the smallest of a currency with two decimals. */
export function rateOf({ ticker, decimals }: { readonly ticker: string; readonly decimals: number }) {
  const isFiat = /^[A-Z]{3}$/.test(ticker) && !(ticker in PRICES) && decimals === fiatDecimals(ticker);
  if (isFiat) return { units: '1', per: '1' };
  return { units: (10n ** BigInt(decimals)).toString(), per: (PRICES[ticker] ?? STABLE).toString() };
}
