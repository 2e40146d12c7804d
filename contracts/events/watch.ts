import { z } from 'zod';
import { accountKey, SOLANA_NETWORKS, TON_NETWORKS, type AccountRef } from '../network';
import { eventFamily, eventType, type EventOf } from './event-type';

/** The category of the streams of watched accounts, one per account. */
export const WATCH_CATEGORY = 'watch';

export function watchStream(account: AccountRef): string {
  return `${WATCH_CATEGORY}-${accountKey(account)}`;
}

// This type is the storage format.
const accountWatched = eventType({
  name: 'AccountWatched',
  schema: z.discriminatedUnion('chain', [
    z.object({ chain: z.literal('ton'), network: z.enum(TON_NETWORKS), address: z.string() }),
    z.object({ chain: z.literal('solana'), network: z.enum(SOLANA_NETWORKS), address: z.string() }),
  ]),
});

export const watchEvents = eventFamily(accountWatched);
export type WatchEvent = EventOf<typeof accountWatched>;
