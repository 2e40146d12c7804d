import { poolMembers } from '../../../../indexers/ton/nominator-pool';
import { stakingMemberObservation } from '../../../../indexers/ton/observations/staking';
import { poolRoundObservation } from '../../../../indexers/ton/observations/staking-rounds';
import { workStakingRounds } from '../../../../services/push/causes/staking-members';
import { stakingRounds } from '../../../../services/push/causes/staking-rounds';
import { workStakingWithdrawals } from '../../../../services/push/causes/staking-withdrawals';
import type { Feature } from '../../feature';
import { jobHandlers } from '../../roles/jobs';

/** Notifications of members of staking pools: a round has ended, and what they have asked for is ready. */
export const pushStaking: Feature = {
  name: 'push-staking',
  reactions: () => [stakingRounds(poolRoundObservation, () => new Date())],
  workers: [
    jobHandlers(
      'push_staking',
      ({ engine: { views }, engines: { store, jobs }, sources, observed, clock }) => [
        signal =>
          workStakingRounds(
            {
              views,
              store,
              jobs,
              async membersAt(network, pool, seqno) {
                const { data } = await sources.clients.ton(network).getAccount(seqno, pool);
                if (!data) throw new Error(`the staking pool ${pool} has no data in block ${seqno}`);
                return poolMembers(data);
              },
            },
            signal,
          ),
        signal => workStakingWithdrawals({ jobs, clock, stakes: observed(stakingMemberObservation) }, signal),
      ],
    ),
  ],
};
