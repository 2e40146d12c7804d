import { AMOUNT, formatAmount, type Amount } from '../../../contracts/money/money';
import type { Reserves } from './pool';

/** Nanotons in a TON. */
const NANOTONS = 10n ** 9n;
const ONE = 10n ** 18n;

/** A price that can be recorded; null for one that is less than 10^-18, or has more than 20 digits before the point. */
function recordable(price: Amount): string | null {
  const text = formatAmount(price);
  return price > 0n && AMOUNT.test(text) ? text : null;
}

/**
 * Dollars for one jetton of this many decimals, rounded down to 10^-18: `coins / jettons` of the pool, by the price of TON.
 * Null when that cannot be recorded.
 * @param tonPrice dollars
 */
export function jettonPrice({ coins, jettons }: Reserves, decimals: number, tonPrice: Amount): string | null {
  return recordable((tonPrice * coins * 10n ** BigInt(decimals)) / (jettons * NANOTONS));
}

/** Dollars for one TON, from its pool with a jetton of this many decimals that counts as a dollar. */
export function coinPrice({ coins, jettons }: Reserves, decimals: number): string | null {
  return recordable((ONE * jettons * NANOTONS) / (coins * 10n ** BigInt(decimals)));
}
