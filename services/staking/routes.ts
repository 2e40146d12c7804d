import { networkOf, tonAccount } from '../../contracts/account/ton-account';
import { stakingMemberInfo, type MemberInfo } from '../../contracts/http/staking/member';
import { stakingStatus, stakingStatusOfNetwork } from '../../contracts/http/staking/status';
import { bind, type Binding } from '../http/binding';
import { watchIfPossible } from '../watch-account';
import type { StakingDeps } from './deps';
import { createStakeReads } from './member-stakes';
import { readStakingStatus } from './status';

/** What accounts have staked, and what the elections of validators are like. */
export function stakingRoutes(deps: StakingDeps): Binding[] {
  const stakeOf = createStakeReads(deps);
  return [
    bind(stakingMemberInfo, async call => {
      const { address, isTestnet, pools } = call.body;
      const account = tonAccount(address, networkOf(isTestnet), '/body/isTestnet');
      const { network } = account;
      /** One pool may be asked for in several forms. */
      const forms = pools.map(
        (pool, i) => [pool, tonAccount(pool, network, `/body/pools/${i}`).address] as const,
      );
      await watchIfPossible(deps, account, call);
      const different = [...new Set(forms.map(([, pool]) => pool))];
      const infos = await Promise.all(
        different.map(async (pool): Promise<[string, MemberInfo]> => {
          const { data, height, at } = await stakeOf(account, pool, call);
          return [pool, { ...data, seqno: height, at }];
        }),
      );
      const byPool = new Map(infos);
      return Object.fromEntries(forms.map(([form, pool]) => [form, byPool.get(pool)!]));
    }),
    bind(stakingStatus, async () => ({ status: { data: await readStakingStatus(deps, 'mainnet') } })),
    bind(stakingStatusOfNetwork, async ({ params }) => ({
      status: { data: await readStakingStatus(deps, params.network) },
    })),
  ];
}
