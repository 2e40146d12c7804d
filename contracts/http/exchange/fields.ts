import { z } from 'zod';
import { canonicalDecimal } from '../../money/decimal';
import type { Problem } from '../../problem/problem';

/** What all endpoints of the group have. */
export const EXCHANGE = {
  group: 'Exchange',
  /** Where clients of the wallet dialect look for the reason. */
  problemMembers: ({ detail }: Problem) => ({ message: detail }),
} as const;

/** The app spells the group so. */
export function changellyAlias(path: string): readonly string[] {
  return [path.replace('/exchange/', '/changelly/')];
}

/** What can be received. */
export const EXCHANGE_TARGETS = ['ton', 'usdton', 'sol', 'usdcsol'] as const;
export type ExchangeTarget = (typeof EXCHANGE_TARGETS)[number];

export const exchangeTarget = z.enum(EXCHANGE_TARGETS);

/** As wallets spell them, such as `usdton`. */
export const ticker = z
  .string()
  .regex(/^[A-Za-z0-9]{1,32}$/, 'must be a ticker, letters and digits')
  .transform(text => text.toLowerCase())
  .meta({ example: 'btc' });

const MAX_DIGITS = 20;

/** In whole units of its currency. How many decimals that has is compared where the currencies are known. */
export const exchangeAmount = z
  .string()
  .max(2 * MAX_DIGITS + 1)
  .refine(text => {
    const amount = canonicalDecimal(text, MAX_DIGITS);
    return amount !== null && amount !== '0';
  }, `a decimal number above 0, at most ${MAX_DIGITS} digits before the point and after it`)
  .meta({ example: '0.01' });

/** Served by a double of the partner. */
export const sandbox = z.boolean().meta({ description: '`true`: the partner is a double; pay nothing' });
