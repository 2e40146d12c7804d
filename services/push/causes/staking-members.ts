import { accountKey, type AccountRef, type TonNetwork } from '../../../contracts/network/network';
import type { Jobs } from '../../../contracts/ports/jobs';
import { areFollowed, countPushDevices } from '../../../projections/push/devices';
import type { Views } from '../../../projections/views';
import { JOB_RETENTION_MS } from '../../reactions/event-reaction';
import { causeJob } from './reactions';
import { createRegistrationsWait, type RegistrationsDeps } from './registrations';
import { endedRound, PUSH_STAKING_ROUNDS, type EndedRound } from './staking-rounds';
import { withdrawalJob } from './staking-withdrawals';

/** A member of a pool who has a stake. */
export interface PoolMember {
  /** Raw. */
  readonly member: string;
  /** It has asked for some of its stake, which is not ready yet. */
  readonly withdraws: boolean;
}

export interface StakingMembersDeps {
  readonly views: Pick<Views, 'count' | 'getMany' | 'waitForPosition'>;
  readonly store: RegistrationsDeps['store'];
  readonly jobs: Pick<Jobs, 'add' | 'work'>;
  /** Those of a pool (raw) as of a block. */
  readonly membersAt: (network: TonNetwork, pool: string, seqno: number) => Promise<readonly PoolMember[]>;
}

/** Members that are looked up together. */
const CHUNK = 500;

/** Notifies the members of a pool that a round has ended, and waits for what they have asked for, until the signal. */
export function workStakingRounds(deps: StakingMembersDeps, signal: AbortSignal): Promise<void> {
  const untilRegistered = createRegistrationsWait({ views: () => deps.views, store: deps.store });
  return deps.jobs.work({ queue: PUSH_STAKING_ROUNDS, signal }, async ({ data }) => {
    await untilRegistered();
    // A pool has thousands of members, which take a while to read.
    if ((await countPushDevices(deps.views)) === 0) return;
    await notifyMembers(deps, endedRound.parse(data));
  });
}

async function notifyMembers(
  { views, jobs, membersAt }: StakingMembersDeps,
  { network, pool, round, seqno, at }: EndedRound,
): Promise<void> {
  const members = await membersAt(network, pool, seqno);
  for (let from = 0; from < members.length; from += CHUNK) {
    const some = members
      .slice(from, from + CHUNK)
      .map(each => ({ ...each, account: accountOf(network, each.member) }));
    // Nearly all are accounts that no device follows.
    const followed = await areFollowed(
      views,
      some.map(({ account }) => accountKey(account)),
    );
    const notified = some.filter((_, place) => followed[place]);
    await Promise.all(
      notified.map(async ({ account, withdraws }) => {
        await jobs.add({
          ...causeJob({ kind: 'staking_round', account, pool, round, at }),
          keepIdMs: JOB_RETENTION_MS,
        });
        if (withdraws) await jobs.add(withdrawalJob({ account, pool, round, seqno, run: 1 }));
      }),
    );
  }
}

const accountOf = (network: TonNetwork, address: string): AccountRef & { readonly chain: 'ton' } => ({
  chain: 'ton',
  network,
  address,
});
