import type { ApyOfRound } from '../../contracts/http/staking/indexer';
import type { KnownRound } from './rounds/known-rounds';
import { GLOBAL_APY_FORMULA, globalApy, POOL_APY_FORMULA, poolApy } from './rounds/round-apy';
import { roundProfit } from './rounds/round-profit';

/** Those that are known, oldest first. @param rounds oldest first */
export function apyOfRounds(rounds: readonly KnownRound[]): ApyOfRound[] {
  const found: ApyOfRound[] = [];
  let missedRounds = 0;
  for (const round of rounds) {
    const apy = apyOf(round, missedRounds);
    if (apy) found.push(apy);
    missedRounds = apy ? 0 : missedRounds + 1;
  }
  return found;
}

/** Null where it cannot be known: the nodes have forgotten the round or its election, or nobody had a stake. */
function apyOf({ end, pool }: KnownRound, missedRounds: number): ApyOfRound | null {
  const profit = pool && roundProfit(end, pool);
  if (!profit || !pool.election) return null;
  const { before, after, election, round } = pool;
  const { electedFor } = election;
  const [ofPool, ofAll] = [poolApy(profit.perCoin, electedFor), globalApy(election, electedFor)];
  if (ofPool === null || ofAll === null) return null;
  return {
    poolApy: ofPool,
    globalApy: ofAll,
    time: new Date(end.time * 1_000).toISOString(),
    round,
    before,
    after,
    election,
    profit: String(profit.profit),
    surplus: String(profit.surplus),
    perCoin: String(profit.perCoin),
    missedRounds,
    formula: { poolApy: POOL_APY_FORMULA, globalApy: GLOBAL_APY_FORMULA },
  };
}
