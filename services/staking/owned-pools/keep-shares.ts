import type { Logger } from 'pino';
import { formatTonAddress } from '../../../contracts/account/address';
import { ownedPoolStream } from '../../../contracts/events/owned-pool';
import type { TonNetwork } from '../../../contracts/network/network';
import type { Source } from '../../../contracts/ports/documents';
import type { Handle } from '../../commands/handle';
import type { RoundsDeps } from '../rounds/deps';
import { keepLooking } from '../../reads/keep-looking';
import { observedRounds, readParties, roundSources, type ObservedRounds } from '../rounds/known-rounds';
import { ownedPoolKind, type RecordShares } from './decider';
import { ownerShare } from './owner-share';

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
  const keepSharesOf = (of: OwnedPool): Promise<void> =>
    keepLooking(
      deps.views,
      async () => ({ isDone: true, sources: await recordShares(deps, of) }),
      error => deps.logger.debug({ err: error, ...of }, 'shares of the owner of a staking pool not recorded'),
      signal,
    );
  await Promise.all(pools.map(keepSharesOf));
}

interface OwnedPool {
  readonly network: TonNetwork;
  /** Raw. */
  readonly pool: string;
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
      round: pool.round,
      lt,
      hash,
      endedAt: new Date(time * 1_000).toISOString(),
      profit: String(share.profit),
      ownerProfit: String(share.ownerProfit),
      stakeProfit: String(share.stakeProfit),
      share: String(share.share),
    },
  ];
}
