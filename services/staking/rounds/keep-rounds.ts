import type { Logger } from 'pino';
import type { TonNetwork } from '../../../contracts/network/network';
import type { Source } from '../../../contracts/ports/documents';
import { createBackoff } from '../../../contracts/retry/backoff';
import type { Watch } from '../../watch-account';
import type { RoundsDeps } from './deps';
import { observedRounds, readParties, roundSources } from './known-rounds';

/** Between two looks at a pool where nothing has changed: its proxy is to stay watched. */
const INTERVAL_MS = 60_000;
const [MIN_RETRY_MS, MAX_RETRY_MS] = [2_000, 10 * 60_000];

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
  await Promise.all(pools.map(each => keepRoundsOf(deps, each, signal)));
}

interface FollowedPool {
  readonly network: TonNetwork;
  /** Raw. */
  readonly pool: string;
}

async function keepRoundsOf(deps: KeepRoundsDeps, of: FollowedPool, signal: AbortSignal): Promise<void> {
  const { views, logger } = deps;
  const backoff = createBackoff(MIN_RETRY_MS, MAX_RETRY_MS);
  while (!signal.aborted) {
    let sources: readonly Source[] = [];
    let waitMs: number;
    try {
      const looked = await lookAt(deps, of);
      sources = looked.sources;
      if (looked.isDone) backoff.reset();
      waitMs = looked.isDone ? INTERVAL_MS : backoff.next();
    } catch (error) {
      logger.debug({ err: error, ...of }, 'rounds of a staking pool not observed');
      waitMs = backoff.next();
    }
    await views.waitForChange(sources, waitMs, signal);
  }
}

/** Requests what is missing. @returns whether nothing is, and what has to change for something new */
async function lookAt(
  deps: KeepRoundsDeps,
  { network, pool }: FollowedPool,
): Promise<{ readonly isDone: boolean; readonly sources: readonly Source[] }> {
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
