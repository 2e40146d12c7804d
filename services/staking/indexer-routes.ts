import { accountsOfOneNetwork, networkOf, tonAccount } from '../../contracts/account/ton-account';
import { immutable } from '../../contracts/http/immutable-response';
import { stakingNominator, stakingPoolApy, type ApyOfRound } from '../../contracts/http/staking/indexer';
import type { TonNetwork } from '../../contracts/network/network';
import { bind, type Binding } from '../http/binding';
import type { NominatorDeps } from './nominator/deps';
import { createNominatorReads } from './nominator/read-nominator';
import { beginningOf, periodUpTo, type PeriodUpTo } from './period';
import { apyOfRounds } from './pool-apy';
import { readKnownRounds, readParties, roundSources } from './rounds/known-rounds';

/** What the rounds of nominator pools have yielded, and what their members have earned. */
export function stakingIndexerRoutes(deps: NominatorDeps): Binding[] {
  const { pools, clock, views } = deps;
  const readNominator = createNominatorReads(deps);

  const yields = (
    network: TonNetwork,
    of: { readonly pool: string; readonly proxy: string },
    upTo: PeriodUpTo,
  ): Promise<ApyOfRound[]> => {
    const key = ['yields of a staking pool', network, of.pool, of.proxy, upTo.period, upTo.now];
    return views.cached({ key, sources: roundSources(deps, network, of) }, async () => {
      const rounds = await readKnownRounds(deps, network, of);
      const since = beginningOf(upTo, rounds.at(-1)?.end.time);
      return immutable(apyOfRounds(rounds.filter(({ end }) => end.time >= since)));
    });
  };

  return [
    bind(stakingPoolApy, async ({ body: { address, fixedPeriod, isTestnet } }) => {
      const { network, address: pool } = tonAccount(address, networkOf(isTestnet), '/body/isTestnet');
      const parties = pools[network].includes(pool) ? await readParties(deps, network, pool) : null;
      if (!parties) return [];
      return yields(network, { pool, proxy: parties.proxy }, periodUpTo(fixedPeriod, clock));
    }),
    bind(stakingNominator, async call => {
      const { addr, pool: poolText, fixedPeriod, isTestnet } = call.body;
      const [member, pool] = accountsOfOneNetwork([addr, poolText], networkOf(isTestnet), '/body/isTestnet');
      const isFollowed = pools[member.network].includes(pool.address);
      return isFollowed
        ? readNominator(member, pool.address, fixedPeriod, call)
        : { nominator: null, isFollowed };
    }),
  ];
}
