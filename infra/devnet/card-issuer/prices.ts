import { fiatDecimals } from '../../../contracts/money/fiat-decimals';

/** In hundredths of the card's currency, whichever it is: prices of the double do not move. */
const PRICES: Readonly<Record<string, bigint>> = { TON: 300n, SOL: 15_000n };
const STABLE = 100n;

/** So many units of the account's currency are so many of the smallest of the card's. */
export function rateOf(
  { ticker, decimals }: { readonly ticker: string; readonly decimals: number },
  fiatCurrency: string,
) {
  const smallest = 10n ** BigInt(fiatDecimals(fiatCurrency));
  if (ticker === fiatCurrency && decimals === fiatDecimals(ticker)) return { units: '1', per: '1' };
  const units = 10n ** BigInt(decimals) * 100n;
  return { units: units.toString(), per: ((PRICES[ticker] ?? STABLE) * smallest).toString() };
}
