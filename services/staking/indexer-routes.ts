import { accountsOfOneNetwork, networkOf, tonAccount } from '../../contracts/account/ton-account';
import { stakingNominator, stakingPoolApy } from '../../contracts/http/staking/indexer';
import { bind, type Binding } from '../http/binding';
import { nominatorAnswer } from './nominator-answer';
import type { NominatorDeps } from './nominator/deps';
import { createNominatorReads } from './nominator/read-nominator';
import { beginningOf } from './period';
import { apyOfRounds } from './pool-apy';
import { readKnownRounds, readParties } from './rounds/known-rounds';

/** What the rounds of nominator pools have yielded, and what their members have earned. */
export function stakingIndexerRoutes(deps: NominatorDeps): Binding[] {
  const { pools, clock } = deps;
  const readNominator = createNominatorReads(deps);
  /** A local network may be ahead of the clock. */
  const now = (newest: number | undefined): number =>
    Math.max(Math.floor(clock().getTime() / 1_000), newest ?? 0);
  return [
    bind(stakingPoolApy, async ({ body: { address, fixedPeriod, isTestnet } }) => {
      const { network, address: pool } = tonAccount(address, networkOf(isTestnet), '/body/isTestnet');
      const parties = pools[network].includes(pool) ? await readParties(deps, network, pool) : null;
      if (!parties) return [];
      const rounds = await readKnownRounds(deps, network, { pool, proxy: parties.proxy });
      const since = beginningOf(fixedPeriod, now(rounds.at(-1)?.end.time));
      return [...apyOfRounds(rounds.filter(({ end }) => end.time >= since))];
    }),
    bind(stakingNominator, async call => {
      const { addr, pool: poolText, fixedPeriod, isTestnet } = call.body;
      const [member, pool] = accountsOfOneNetwork([addr, poolText], networkOf(isTestnet), '/body/isTestnet');
      const isFollowed = pools[member.network].includes(pool.address);
      const found = isFollowed ? await readNominator(member, pool.address, call) : null;
      if (!found) return { nominator: null, isFollowed };
      const since = beginningOf(fixedPeriod, now(found.after.at(-1)?.time));
      return { nominator: nominatorAnswer(found, since), isFollowed };
    }),
  ];
}
