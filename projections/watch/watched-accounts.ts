import { WATCH_CATEGORY, watchEvents } from '../../contracts/events/watch';
import { accountKey } from '../../contracts/network/network';
import type { CollectionSpec, Document } from '../../contracts/ports/documents';
import type { EventProjection } from '../projection';

/** An account that is watched now. */
export type WatchedAccountDocument = Document & {
  readonly chain: string;
  readonly network: string;
  readonly address: string;
  /** The last recorded read: RFC 3339 UTC with milliseconds. */
  readonly readAt: string;
};

export const WATCHED_ACCOUNTS: CollectionSpec = {
  name: 'watched_accounts',
  indexes: [{ fields: [['readAt', 'asc']] }],
  counts: [[]],
};

/** The watched accounts: how many there are, and which nobody has read for long. */
export const watchedAccountsProjection: EventProjection = {
  name: 'watched-accounts',
  version: 1,
  categories: [WATCH_CATEGORY],
  collections: [WATCHED_ACCOUNTS],
  touches: recorded => [
    { collection: WATCHED_ACCOUNTS.name, id: accountKey(watchEvents.read(recorded).data) },
  ],
  fold(_document, recorded, { id }) {
    const { type, data } = watchEvents.read(recorded);
    const { chain, network, address, at } = data;
    if (type === 'WatchExpired') return null;
    return { _id: id, chain, network, address, readAt: at } satisfies WatchedAccountDocument;
  },
};
