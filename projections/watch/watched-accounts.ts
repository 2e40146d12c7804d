import { endsWatch, WATCH_CATEGORY, watchEvents } from '../../contracts/events/watch';
import { accountKey } from '../../contracts/network/network';
import type { CollectionSpec, Document } from '../../contracts/ports/documents';
import type { EventProjection } from '../projection';
import type { Views } from '../views';

/** An account that is watched now. */
export type WatchedAccountDocument = Document & {
  readonly chain: string;
  readonly network: string;
  readonly address: string;
  /** The first read: RFC 3339 UTC with milliseconds. */
  readonly watchedAt: string;
  /** The last recorded read, in the same form. */
  readonly readAt: string;
  /** `CallerSource` of the first read; null where nobody's share has it. */
  readonly source: string | null;
  /** Whether it is watched for as long as it is read: it is known to be used. */
  readonly isConfirmed: boolean;
};

export const WATCHED_ACCOUNTS: CollectionSpec = {
  name: 'watched_accounts',
  indexes: [
    { fields: [['readAt', 'asc']] },
    {
      fields: [
        ['isConfirmed', 'asc'],
        ['readAt', 'asc'],
      ],
    },
  ],
  counts: [[], ['source']],
};

/** The watched accounts: how many there are, and which nobody has read for long. */
export const watchedAccountsProjection: EventProjection = {
  name: 'watched-accounts',
  version: 3,
  categories: [WATCH_CATEGORY],
  collections: [WATCHED_ACCOUNTS],
  touches: recorded => [
    { collection: WATCHED_ACCOUNTS.name, id: accountKey(watchEvents.read(recorded).data) },
  ],
  fold(document, recorded, { id }) {
    const { type, data } = watchEvents.read(recorded);
    if (endsWatch(type)) return null;
    if (type === 'AccountWatched') {
      const { chain, network, address, at, source } = data;
      return {
        _id: id,
        chain,
        network,
        address,
        watchedAt: at,
        readAt: at,
        source,
        isConfirmed: source === null,
      } satisfies WatchedAccountDocument;
    }
    const known = document as WatchedAccountDocument | null;
    if (known === null) return null;
    return type === 'WatchConfirmed' ? { ...known, isConfirmed: true } : { ...known, readAt: data.at };
  },
};

/** How many accounts are watched. */
export function countWatchedAccounts(views: Pick<Views, 'count'>): Promise<number> {
  return views.count(WATCHED_ACCOUNTS.name);
}

/** How many accounts are watched whose first read came from a source; documents of an earlier version do not say it of any. */
export async function countWatchedAccountsOf(
  views: Pick<Views, 'count' | 'isOutdated'>,
  source: string,
): Promise<number> {
  return (await views.isOutdated([WATCHED_ACCOUNTS.name]))
    ? 0
    : views.count(WATCHED_ACCOUNTS.name, { source });
}
