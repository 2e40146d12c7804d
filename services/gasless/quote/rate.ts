import { amountOf } from '../../../contracts/money/money';
import type { JettonRate } from './commission';

/** A price in dollars, a decimal, and when it was known. */
export interface KnownPrice {
  readonly price: string;
  /** RFC 3339 instant. */
  readonly at: string;
}

const NANOTONS = 10n ** 9n;

/**
 * What a jetton costs, from the prices of TON and of the jetton; null where one of them is unknown or too old.
 * @param decimals of the jetton
 * @param now milliseconds since the epoch
 */
export function rateOfPrices(
  prices: { readonly ton: KnownPrice | null; readonly jetton: KnownPrice | null },
  decimals: number,
  { now, maxAgeMs }: { readonly now: number; readonly maxAgeMs: number },
): (JettonRate & { readonly at: string }) | null {
  const { ton, jetton } = prices;
  if (!ton || !jetton) return null;
  const [oldest] = [ton.at, jetton.at].sort((a, b) => Date.parse(a) - Date.parse(b));
  if (now - Date.parse(oldest!) > maxAgeMs) return null;
  const units = amountOf(ton.price) * 10n ** BigInt(decimals);
  const nanotons = amountOf(jetton.price) * NANOTONS;
  return units > 0n && nanotons > 0n ? { units, nanotons, at: oldest! } : null;
}

/** What a jetton costs where operators have said it. @param perTon so many of the jetton for a TON, decimal */
export function fixedRate(
  perTon: string,
  decimals: number,
  at: string,
): JettonRate & { readonly at: string } {
  return { units: amountOf(perTon) * 10n ** BigInt(decimals), nanotons: amountOf('1') * NANOTONS, at };
}
