import { z } from 'zod';
import { TON_NETWORKS } from '../../contracts/network/network';

/**
 * What an instance knows of extra currencies, by network and id. The chain has only their amounts: symbols and decimals are
 * an agreement of those who use them.
 */
export const knownCurrencies = z.partialRecord(
  z.enum(TON_NETWORKS),
  z.record(
    z.string().regex(/^\d{1,10}$/, 'must be the id of an extra currency'),
    z.object({
      symbol: z.string().min(1).max(64),
      decimals: z.int().min(0).max(255),
      image: z.url({ protocol: /^https$/ }).optional(),
    }),
  ),
);
export type KnownCurrencies = z.output<typeof knownCurrencies>;
