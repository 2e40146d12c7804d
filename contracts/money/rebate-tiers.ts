import { z } from 'zod';
import { amount } from '../http/billing/fields';
import { canonicalAmount, parseAmount } from './money';

/** A monthly volume of collected fees of at least `from` earns the rate on all of it. Both are decimal strings. */
export interface RebateTier {
  readonly from: string;
  /** 0 to 1: `0.05` is five per cent. */
  readonly rate: string;
}

const rate = z
  .string()
  .regex(/^(?:0(?:\.\d{1,18})?|1(?:\.0{1,18})?)$/, 'must be a decimal from 0 to 1 such as "0.05"')
  .overwrite(text => canonicalAmount(text) ?? text);

const from = amount.refine(text => !text.startsWith('-'), 'not negative');

/** Tiers as an operator sets them, in order of volume. */
export const rebateTiers = z
  .array(z.strictObject({ from, rate }))
  .min(1)
  .max(100)
  .superRefine((tiers, context) => {
    // One that is no amount is refused by itself.
    const volumes = tiers.map(tier => parseAmount(tier.from));
    for (const [i, volume] of volumes.entries()) {
      const previous = volumes[i - 1];
      if (volume !== null && previous !== undefined && previous !== null && volume <= previous)
        context.addIssue({
          code: 'custom',
          path: [i, 'from'],
          message: 'must be more than in the previous tier',
        });
    }
  });
