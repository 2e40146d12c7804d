import { formatTonAddress } from '../../contracts/account/address';
import { networkOf, tonAccount } from '../../contracts/account/ton-account';
import { LIQUID_STAKING_POOLS } from '../../contracts/chain/ton-verified-contracts';
import { stakingLiquidMember, stakingLiquidPool } from '../../contracts/http/staking/liquid';
import { stakingMemberInfo } from '../../contracts/http/staking/member';
import { stakingStatus, stakingStatusOfNetwork } from '../../contracts/http/staking/status';
import { bind, type Binding } from '../http/binding';
import { watchIfPossible } from '../watch-account';
import type { StakingDeps } from './deps';
import { createLiquidMemberReads } from './liquid-members';
import { readLiquidPool } from './liquid-pool';
import { createMemberInfo } from './member-info';
import { createStakingStatus } from './status';

/** What accounts have staked, and what the elections of validators are like. */
export function stakingRoutes(deps: StakingDeps): Binding[] {
  const memberInfo = createMemberInfo(deps);
  const liquidMember = createLiquidMemberReads(deps);
  const readStatus = createStakingStatus(deps);
  return [
    bind(stakingMemberInfo, async call => {
      const { address, isTestnet, pools } = call.body;
      const account = tonAccount(address, networkOf(isTestnet), '/body/isTestnet');
      const asked = pools.map(
        (pool, i) => [pool, tonAccount(pool, account.network, `/body/pools/${i}`).address] as const,
      );
      await watchIfPossible(deps, account, call);
      return memberInfo(account, asked, call);
    }),
    bind(stakingLiquidPool, call => readLiquidPool(deps, call.params.network, call)),
    bind(stakingLiquidMember, async call => {
      const { address, isTestnet } = call.body;
      const account = tonAccount(address, networkOf(isTestnet), '/body/isTestnet');
      const { network } = account;
      await watchIfPossible(deps, account, call);
      const { data, height, at } = await liquidMember(account, call);
      return (
        data.stake && {
          ...data.stake,
          owner: formatTonAddress(account.address, network),
          master: formatTonAddress(LIQUID_STAKING_POOLS[network], network),
          seqno: height,
          at,
        }
      );
    }),
    bind(stakingStatus, async call => ({ status: { data: await readStatus('mainnet', call) } })),
    bind(stakingStatusOfNetwork, async call => ({
      status: { data: await readStatus(call.params.network, call) },
    })),
  ];
}
