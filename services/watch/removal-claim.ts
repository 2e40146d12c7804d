import { watchStream } from '../../contracts/events/watch';
import type { AccountRef } from '../../contracts/network/network';
import type { Handle } from '../commands/handle';
import { watchKind, type RemovalTimes } from './decider';

export interface ClaimDeps extends RemovalTimes {
  readonly handle: Handle;
  readonly clock: () => Date;
  /** Its name, which no other worker has and no earlier process has had. */
  readonly worker: string;
}

export interface RemovalClaim {
  /** Until when this worker has it, for at least half of the time of a claim; null when it has not: also for an account that is watched or has no history. */
  current(): Promise<string | null>;
  /** Records that the history of the account is removed. */
  end(): Promise<void>;
  /** Whether the history is, or may be, another worker's to remove. */
  readonly isOthers: boolean;
}

/** Claims the removal of the history of an account. */
export function createRemovalClaim(deps: ClaimDeps, account: AccountRef): RemovalClaim {
  const { handle, clock, worker, removeAfterMs, claimMs, graceMs } = deps;
  let until: string | null = null;
  let isLost = false;
  let isOthers = false;

  const metadata = () => ({ now: clock().toISOString(), actor: 'history removal' });
  const isLong = (): boolean => until !== null && Date.parse(until) - clock().getTime() >= claimMs / 2;

  return {
    async current() {
      if (isLost || isLong()) return until;
      const command = { type: 'claimRemoval', account, worker, metadata: metadata() } as const;
      const outcome = await handle(watchKind, watchStream(account), {
        ...command,
        removeAfterMs,
        claimMs,
        graceMs,
      });
      const removal = outcome.refusal ? null : outcome.state.removal;
      const isOurs = removal?.worker === worker;
      until = isOurs ? removal.until : null;
      isLost = !isOurs;
      isOthers = removal !== null && !isOurs;
      return until;
    },
    async end() {
      const command = { type: 'endRemoval', account, worker, metadata: metadata() } as const;
      await handle(watchKind, watchStream(account), command);
    },
    get isOthers() {
      return isOthers;
    },
  };
}
