import type { Logger } from 'pino';
import type { TonNetwork } from '../../../contracts/network/network';
import type { Watch } from '../../watch-account';
import type { RoundsDeps } from './deps';
import { keepLooking, type Look } from '../../reads/keep-looking';
import { observedRounds, readParties, roundSources } from './known-rounds';

export interface KeepRoundsDeps extends RoundsDeps {
  readonly watch: Watch;
  readonly networks: readonly TonNetwork[];
  readonly logger: Logger;
}

/**
 * Has the end of each round of the followed pools observed, whether anyone reads it or not: the proxy of each pool is watched, and
 * the pool read as of the blocks in which it took its stake back. Until the signal.
 */
export async function keepRounds(deps: KeepRoundsDeps, signal: AbortSignal): Promise<void> {
  const pools = deps.networks.flatMap(network => deps.pools[network].map(pool => ({ network, pool })));
  const keepRoundsOf = (of: FollowedPool): Promise<void> =>
    keepLooking(
      deps.views,
      () => lookAt(deps, of),
      error => deps.logger.debug({ err: error, ...of }, 'rounds of a staking pool not observed'),
      signal,
    );
  await Promise.all(pools.map(keepRoundsOf));
}

interface FollowedPool {
  readonly network: TonNetwork;
  /** Raw. */
  readonly pool: string;
}

/** Requests what is missing. */
async function lookAt(deps: KeepRoundsDeps, { network, pool }: FollowedPool): Promise<Look> {
  const { watch, rounds } = deps;
  const parties = await readParties(deps, network, pool);
  // There may be one later.
  if (!parties) return { isDone: true, sources: [] };
  const of = { pool, proxy: parties.proxy };
  await watch({ chain: 'ton', network, address: of.proxy });
  const sources = roundSources(deps, network, of);
  const observed = await observedRounds(deps, network, of);
  if (!observed) return { isDone: true, sources };
  const missing = observed.filter(({ pool }) => pool === undefined);
  const forgotten = observed.filter(({ pool, at }) => pool === null && at !== null && rounds.isStale(at));
  for (const { end } of [...missing, ...forgotten]) await rounds.request(end);
  return { isDone: missing.length === 0, sources };
}
