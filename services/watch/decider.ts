import { refuse, type CommandMetadata } from '../../contracts/decider';
import { watchEvents, type WatchEvent } from '../../contracts/events/watch';
import type { AccountRef } from '../../contracts/network/network';
import type { StreamKind } from '../commands/stream-kind';
import { expiryMs, renewalMs, type RecordedReads, type WatchTimes } from './watch-times';

/** Milliseconds since the last recorded read. */
type RenewTimes = Pick<WatchTimes, 'renewAfterMs' | 'renewUnconfirmedAfterMs'>;
type ExpireTimes = Pick<WatchTimes, 'expireAfterMs' | 'expireUnconfirmedAfterMs'>;

export type WatchCommand = {
  readonly account: AccountRef;
  readonly metadata: CommandMetadata;
} & (
  | ({
      readonly type: 'watch';
      /** `CallerSource` of the read; null when the program itself needs the account. */
      readonly source: string | null;
    } & RenewTimes)
  /** Changes nothing of an account that is not watched, like the next two. */
  | ({ readonly type: 'renew' } & RenewTimes)
  | { readonly type: 'confirm' }
  | ({ readonly type: 'expire' } & ExpireTimes)
  /** Claims the removal of the history of an account whose last watch ended so long ago, or keeps the claim. */
  | ({ readonly type: 'claimRemoval'; readonly worker: string } & RemovalTimes)
  /** By the worker that has the claim. */
  | { readonly type: 'endRemoval'; readonly worker: string }
);

/** Milliseconds. */
export interface RemovalTimes {
  /** After the end of the last watch. */
  readonly removeAfterMs: number;
  /** How long a claim is valid. */
  readonly claimMs: number;
  /** After that, before another worker may have it: what the first one has published is on the log by then. */
  readonly graceMs: number;
}

interface WatchState {
  /** The number of the last watch; 0 before the first. */
  readonly watch: number;
  /** Null while the account is not watched. */
  readonly reads: RecordedReads | null;
  /** The end of the last watch; null while the account is watched, and once its history is removed. */
  readonly endedAt: string | null;
  /** The claim of the worker that removes the history. */
  readonly removal: { readonly worker: string; readonly until: string } | null;
}

const NEVER_WATCHED: WatchState = {
  watch: 0,
  reads: null,
  endedAt: null,
  removal: null,
};

const claimOf = ({ worker, until }: NonNullable<WatchState['removal']>): WatchState['removal'] => ({
  worker,
  until,
});

function claimRemoval(
  { watch, endedAt, removal }: WatchState,
  {
    account,
    worker,
    removeAfterMs,
    claimMs,
    graceMs,
    metadata: { now: at },
  }: Extract<WatchCommand, { type: 'claimRemoval' }>,
): readonly WatchEvent[] {
  const now = Date.parse(at);
  const leftMs = removal ? Date.parse(removal.until) - now : 0;
  const isDue = removal
    ? removal.worker === worker
      ? leftMs < claimMs / 2
      : leftMs < -graceMs
    : endedAt !== null && now - Date.parse(endedAt) >= removeAfterMs;
  if (!isDue) return [];
  const until = new Date(now + claimMs).toISOString();
  return [{ type: 'HistoryRemovalStarted', data: { ...account, watch, worker, until, at } }];
}

/**
 * An account is watched from the first read on, until nobody has read it for long: a short time, until it is known that the
 * account is used, unless the program itself needs it. Long after that its history is removed. Until that is done it is not watched
 * again: a removal would take what the next watch has read.
 */
export const watchKind: StreamKind<WatchState, WatchCommand, WatchEvent> = {
  events: watchEvents,
  decider: {
    initial: () => NEVER_WATCHED,
    evolve(state, { type, data }) {
      const { watch, at } = data;
      switch (type) {
        case 'AccountWatched':
          return {
            ...NEVER_WATCHED,
            watch,
            reads: { watchedAt: at, readAt: at, isConfirmed: data.source === null },
          };
        case 'WatchRenewed':
          return { ...state, watch, reads: state.reads && { ...state.reads, readAt: at } };
        case 'WatchConfirmed':
          return { ...state, reads: state.reads && { ...state.reads, isConfirmed: true } };
        case 'WatchExpired':
          return { ...NEVER_WATCHED, watch, endedAt: at };
        case 'HistoryRemovalStarted':
          return { ...NEVER_WATCHED, watch, endedAt: state.endedAt, removal: claimOf(data) };
        case 'HistoryRemoved':
          return { ...NEVER_WATCHED, watch };
      }
    },
    decide(state, command) {
      const { watch, reads } = state;
      const { account, metadata } = command;
      const { now: at } = metadata;
      if (command.type === 'claimRemoval') return claimRemoval(state, command);
      if (command.type === 'endRemoval')
        return state.removal?.worker === command.worker
          ? [{ type: 'HistoryRemoved', data: { ...account, watch, at } }]
          : [];
      const isRead = command.type === 'watch' || command.type === 'renew';
      if (reads === null) {
        if (isRead && state.removal)
          return refuse('not_ready', 'What was known of this account long ago is being removed.');
        if (command.type !== 'watch') return [];
        return [
          { type: 'AccountWatched', data: { ...account, watch: watch + 1, source: command.source, at } },
        ];
      }
      const ageMs = Date.parse(at) - Date.parse(reads.readAt);
      const data = { ...account, watch, at };
      if (command.type === 'confirm') return reads.isConfirmed ? [] : [{ type: 'WatchConfirmed', data }];
      if (command.type === 'expire')
        return ageMs >= expiryMs(reads, command) ? [{ type: 'WatchExpired', data }] : [];
      return ageMs >= renewalMs(reads, command) ? [{ type: 'WatchRenewed', data }] : [];
    },
  },
};
