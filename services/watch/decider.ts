import type { CommandMetadata } from '../../contracts/decider';
import { watchEvents, type WatchEvent } from '../../contracts/events/watch';
import type { AccountRef } from '../../contracts/network/network';
import type { StreamKind } from '../handle';

export type WatchCommand = {
  readonly account: AccountRef;
  readonly metadata: CommandMetadata;
} & (
  | ({
      /** Milliseconds since the last recorded read after which this one is recorded. */
      readonly renewAfterMs: number;
    } & (
      | {
          readonly type: 'watch';
          /** `CallerSource` of the read; null when the program itself needs the account. */
          readonly source: string | null;
        }
      /** Changes nothing of an account that is not watched. */
      | { readonly type: 'renew' }
    ))
  | {
      readonly type: 'expire';
      /** Milliseconds since the last recorded read after which the watch ends. */
      readonly expireAfterMs: number;
    }
);

interface WatchState {
  /** The number of the last watch; 0 before the first. */
  readonly watch: number;
  /** The last recorded read; null while the account is not watched. */
  readonly readAt: string | null;
}

/** An account is watched from the first read on, until nobody has read it for long. */
export const watchKind: StreamKind<WatchState, WatchCommand, WatchEvent> = {
  events: watchEvents,
  decider: {
    initial: () => ({ watch: 0, readAt: null }),
    evolve: (_state, { type, data: { watch, at } }) => ({
      watch,
      readAt: type === 'WatchExpired' ? null : at,
    }),
    decide({ watch, readAt }, command) {
      const { account, metadata } = command;
      const { now: at } = metadata;
      if (readAt === null)
        return command.type === 'watch'
          ? [{ type: 'AccountWatched', data: { ...account, watch: watch + 1, source: command.source, at } }]
          : [];
      const ageMs = Date.parse(at) - Date.parse(readAt);
      const data = { ...account, watch, at };
      if (command.type === 'expire')
        return ageMs >= command.expireAfterMs ? [{ type: 'WatchExpired', data }] : [];
      return ageMs >= command.renewAfterMs ? [{ type: 'WatchRenewed', data }] : [];
    },
  },
};
