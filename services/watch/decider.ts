import type { CommandMetadata } from '../../contracts/decider';
import { watchEvents, type WatchEvent } from '../../contracts/events/watch';
import type { AccountRef } from '../../contracts/network';
import type { StreamKind } from '../handle';

export interface WatchAccount {
  readonly account: AccountRef;
  readonly metadata: CommandMetadata;
}

type State = 'unwatched' | 'watched';

/** An account is watched from the first request on, forever. */
export const watchKind: StreamKind<State, WatchAccount, WatchEvent> = {
  events: watchEvents,
  decider: {
    initial: () => 'unwatched',
    evolve: () => 'watched',
    decide: (state, { account }) =>
      state === 'watched' ? [] : [{ type: 'AccountWatched', data: { ...account } }],
  },
};
