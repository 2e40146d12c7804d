import { z } from 'zod';
import { accountKey, SOLANA_NETWORKS, TON_NETWORKS, type AccountRef } from '../network/network';
import { eventFamily, eventType, type EventOf } from './event-type';

/** The category of the streams of watched accounts, one per account. */
export const WATCH_CATEGORY = 'watch';

export function watchStream(account: AccountRef): string {
  return `${WATCH_CATEGORY}-${accountKey(account)}`;
}

const shared = {
  address: z.string(),
  /**
   * The number of this watch of the account, from 1. One that was watched, forgotten and watched again has missed
   * transactions in between: what is known of its history is known for a watch.
   */
  watch: z.int().positive(),
  /** RFC 3339 UTC instant with milliseconds. */
  at: z.iso.datetime(),
};
const ton = z.object({ chain: z.literal('ton'), network: z.enum(TON_NETWORKS), ...shared });
const solana = z.object({ chain: z.literal('solana'), network: z.enum(SOLANA_NETWORKS), ...shared });
const data = z.discriminatedUnion('chain', [ton, solana]);

/** `CallerSource` of the first read; null where it was not recorded, or the program itself needs the account. */
const source = z.string().nullable();

// These types are the storage format.
const accountWatched = eventType({
  name: 'AccountWatched',
  version: 2,
  schema: z.discriminatedUnion('chain', [ton.extend({ source }), solana.extend({ source })]),
  upcasts: { 1: data => ({ ...data, source: null }) },
});
/** The account was read again. */
const watchRenewed = eventType({ name: 'WatchRenewed', schema: data });
/** The account has a transaction or a balance, or a device is registered for it: it is watched for as long as it is read. */
const watchConfirmed = eventType({ name: 'WatchConfirmed', schema: data });
/** Nobody has read the account for long: its indexer forgets it. */
const watchExpired = eventType({ name: 'WatchExpired', schema: data });

const claim = {
  /** Who removes: a process. */
  worker: z.string(),
  /** Until when it does: RFC 3339 UTC. What it publishes later counts for nothing. */
  until: z.iso.datetime(),
};
/** What is known of the history of the account is being removed, or still is, by a process: it is not watched meanwhile. */
const historyRemovalStarted = eventType({
  name: 'HistoryRemovalStarted',
  schema: z.discriminatedUnion('chain', [ton.extend(claim), solana.extend(claim)]),
});
/** Nothing is known of the history of the account. */
const historyRemoved = eventType({ name: 'HistoryRemoved', schema: data });

export const watchEvents = eventFamily(
  accountWatched,
  watchRenewed,
  watchConfirmed,
  watchExpired,
  historyRemovalStarted,
  historyRemoved,
);
export type WatchEvent = EventOf<
  | typeof accountWatched
  | typeof watchRenewed
  | typeof watchConfirmed
  | typeof watchExpired
  | typeof historyRemovalStarted
  | typeof historyRemoved
>;

/** Whether the account of a stream with this last event is not watched. */
export function endsWatch(type: WatchEvent['type']): boolean {
  return type === 'WatchExpired' || type === 'HistoryRemovalStarted' || type === 'HistoryRemoved';
}
