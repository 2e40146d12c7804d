import { watchStream } from '../../contracts/events/watch';
import type { AccountRef } from '../../contracts/network/network';
import type { Handle } from '../handle';
import { watchKind, type RemovalTimes } from './decider';

export interface ClaimDeps extends RemovalTimes {
  readonly handle: Handle;
  readonly clock: () => Date;
  /** Its name, which no other worker has and no earlier process has had. */
  readonly worker: string;
}

/** An account whose history this worker removes. */
export interface ClaimedAccount {
  readonly account: AccountRef;
  /** Until when the claim is valid. */
  readonly until: string;
}

export interface RemovalClaims {
  /** Those that this worker has, valid for at least half of the time of a claim. */
  current(): Promise<readonly ClaimedAccount[]>;
  /** Records that the history of an account is removed. */
  end(account: AccountRef): Promise<void>;
  /** Whether the history of an account is, or may be, another worker's to remove. */
  readonly hasOthers: boolean;
}

/** Claims the removal of the histories of accounts, but of those that are watched or have no history. */
export function createRemovalClaims(deps: ClaimDeps, accounts: readonly AccountRef[]): RemovalClaims {
  const { handle, clock, worker, removeAfterMs, claimMs, graceMs } = deps;
  let claimed: readonly ClaimedAccount[] = accounts.map(account => ({ account, until: '' }));
  let hasOthers = false;

  const metadata = () => ({ now: clock().toISOString(), actor: 'history removal' });
  const isLong = ({ until }: ClaimedAccount): boolean =>
    until !== '' && Date.parse(until) - clock().getTime() >= claimMs / 2;

  async function claim(known: ClaimedAccount): Promise<readonly ClaimedAccount[]> {
    if (isLong(known)) return [known];
    const { account } = known;
    const command = { type: 'claimRemoval', account, worker, metadata: metadata() } as const;
    const outcome = await handle(watchKind, watchStream(account), {
      ...command,
      ...{ removeAfterMs, claimMs, graceMs },
    });
    const removal = outcome.refusal ? null : outcome.state.removal;
    if (removal?.worker === worker) return [{ account, until: removal.until }];
    if (removal) hasOthers = true;
    return [];
  }

  return {
    async current() {
      claimed = (await Promise.all(claimed.map(claim))).flat();
      return claimed;
    },
    async end(account) {
      const command = { type: 'endRemoval', account, worker, metadata: metadata() } as const;
      await handle(watchKind, watchStream(account), command);
    },
    get hasOthers() {
      return hasOthers;
    },
  };
}
