import type { Logger } from 'pino';
import { formatTonAddress } from '../../../contracts/account/address';
import { ownedPoolStream } from '../../../contracts/events/owned-pool';
import type { TonNetwork } from '../../../contracts/network/network';
import type { Source } from '../../../contracts/ports/documents';
import { createBackoff } from '../../../contracts/retry/backoff';
import type { Handle } from '../../handle';
import type { RoundsDeps } from '../rounds/deps';
import { observedRounds, readParties, roundSources, type ObservedRounds } from '../rounds/known-rounds';
import { ownedPoolKind, type RecordShares } from './decider';
import { ownerShare } from './owner-share';

/** Between two looks at a pool where nothing has changed: there may be one later. */
const INTERVAL_MS = 60_000;
const [MIN_RETRY_MS, MAX_RETRY_MS] = [2_000, 10 * 60_000];

export interface KeepSharesDeps extends RoundsDeps {
  readonly handle: Handle;
  /** Where pools may be. */
  readonly networks: readonly TonNetwork[];
  readonly clock: () => Date;
  /** Told at each look whether there is a pool at an address (friendly) that is owned. */
  readonly onLook: (address: string, isPool: boolean) => void;
  readonly logger: Pick<Logger, 'debug'>;
}

/**
 * Records what the owner of each pool earns in each round, and retracts what a fork has taken back, whether anyone reads it or
 * not, until the signal. It compares what is recorded with what is on the chain: wherever it was stopped, it goes on from there.
 * One process at a time: one that is behind would take a round that it has not seen for one that was taken back.
 */
export async function keepShares(deps: KeepSharesDeps, signal: AbortSignal): Promise<void> {
  const pools = deps.networks.flatMap(network => deps.pools[network].map(pool => ({ network, pool })));
  await Promise.all(pools.map(each => keepSharesOf(deps, each, signal)));
}

interface OwnedPool {
  readonly network: TonNetwork;
  /** Raw. */
  readonly pool: string;
}

async function keepSharesOf(deps: KeepSharesDeps, of: OwnedPool, signal: AbortSignal): Promise<void> {
  const { views, logger } = deps;
  const backoff = createBackoff(MIN_RETRY_MS, MAX_RETRY_MS);
  while (!signal.aborted) {
    let sources: readonly Source[] = [];
    let waitMs = INTERVAL_MS;
    try {
      sources = await recordShares(deps, of);
      backoff.reset();
    } catch (error) {
      logger.debug({ err: error, ...of }, 'shares of the owner of a staking pool not recorded');
      waitMs = backoff.next();
    }
    await views.waitForChange(sources, waitMs, signal);
  }
}

/** @returns what has to change for something new */
async function recordShares(deps: KeepSharesDeps, of: OwnedPool): Promise<readonly Source[]> {
  const { network, pool } = of;
  const parties = await readParties(deps, network, pool);
  deps.onLook(formatTonAddress(pool, network), parties !== null);
  if (!parties) return [];
  const { proxy } = parties;
  const rounds = await observedRounds(deps, network, { pool, proxy });
  // While the history of the proxy is not known whole, nothing is known to be missing in it.
  if (rounds) {
    const outcome = await deps.handle(ownedPoolKind, ownedPoolStream(network, pool), {
      type: 'record',
      ends: rounds.map(({ end }) => end),
      shares: rounds.flatMap(round => shareOf(of, round)),
      metadata: { now: deps.clock().toISOString(), actor: 'owned staking pools' },
    });
    if (outcome.refusal) throw new Error(`${pool}: ${outcome.refusal.detail}`);
  }
  return roundSources(deps, network, { pool, proxy });
}

/** None of a round that was not read yet, or that the nodes have forgotten. */
function shareOf(of: OwnedPool, { end, pool }: ObservedRounds): RecordShares['shares'] {
  const share = pool && ownerShare(end, pool);
  if (!share) return [];
  const { lt, hash, time } = end;
  return [
    {
      ...of,
      ...{ round: pool.round, lt, hash, endedAt: new Date(time * 1_000).toISOString() },
      ...{ profit: String(share.profit), ownerProfit: String(share.ownerProfit) },
      ...{ stakeProfit: String(share.stakeProfit), share: String(share.share) },
    },
  ];
}
