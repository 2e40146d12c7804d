import type { CommandMetadata } from '../../contracts/decider';
import { watchEvents, type WatchEvent } from '../../contracts/events/watch';
import type { AccountRef } from '../../contracts/network/network';
import type { StreamKind } from '../handle';
import type { WatchTimes } from './watch-times';

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
  /** Changes nothing of an account that is not watched, like all that follow. */
  | ({ readonly type: 'renew' } & RenewTimes)
  | { readonly type: 'confirm' }
  | ({ readonly type: 'expire' } & ExpireTimes)
);

interface WatchState {
  /** The number of the last watch; 0 before the first. */
  readonly watch: number;
  /** The last recorded read; null while the account is not watched. */
  readonly readAt: string | null;
  /** Whether it is watched for as long as it is read; before, only for a short time. */
  readonly isConfirmed: boolean;
}

/**
 * An account is watched from the first read on, until nobody has read it for long: a short time, until it is known that the
 * account is used, unless the program itself needs it.
 */
export const watchKind: StreamKind<WatchState, WatchCommand, WatchEvent> = {
  events: watchEvents,
  decider: {
    initial: () => ({ watch: 0, readAt: null, isConfirmed: false }),
    evolve(state, { type, data }) {
      const { watch, at } = data;
      switch (type) {
        case 'AccountWatched':
          return { watch, readAt: at, isConfirmed: data.source === null };
        case 'WatchRenewed':
          return { ...state, watch, readAt: at };
        case 'WatchConfirmed':
          return { ...state, isConfirmed: true };
        case 'WatchExpired':
          return { ...state, watch, readAt: null };
      }
    },
    decide({ watch, readAt, isConfirmed }, command) {
      const { account, metadata } = command;
      const { now: at } = metadata;
      if (readAt === null)
        return command.type === 'watch'
          ? [{ type: 'AccountWatched', data: { ...account, watch: watch + 1, source: command.source, at } }]
          : [];
      const ageMs = Date.parse(at) - Date.parse(readAt);
      const data = { ...account, watch, at };
      if (command.type === 'confirm') return isConfirmed ? [] : [{ type: 'WatchConfirmed', data }];
      if (command.type === 'expire') {
        const afterMs = isConfirmed ? command.expireAfterMs : command.expireUnconfirmedAfterMs;
        return ageMs >= afterMs ? [{ type: 'WatchExpired', data }] : [];
      }
      const afterMs = isConfirmed ? command.renewAfterMs : command.renewUnconfirmedAfterMs;
      return ageMs >= afterMs ? [{ type: 'WatchRenewed', data }] : [];
    },
  },
};
