import type { PoolParties, PoolRound } from '../../../contracts/chain/ton-staking';
import { accountKey, type TonNetwork } from '../../../contracts/network/network';
import type { Source } from '../../../contracts/ports/documents';
import { Problem } from '../../../contracts/problem/problem';
import type { RoundsDeps } from './deps';
import { readRoundEnds, type RoundEnd } from './round-ends';

/** The end of a round, and the pool at that; null where the nodes do not have its blocks any more. */
export interface KnownRound {
  readonly end: RoundEnd;
  readonly pool: PoolRound | null;
}

const RETRY_AFTER_SECONDS = 5;

/** What the parties of a pool are read from. */
type PartiesDeps = Pick<RoundsDeps, 'parties'>;

/** Null where there is no pool. @throws Problem 503 when that has not been read */
export async function readParties(
  { parties }: PartiesDeps,
  network: TonNetwork,
  pool: string,
): Promise<PoolParties | null> {
  return (await parties.read({ network, address: pool })).data;
}

/** What the rounds of a pool are read from. */
export function roundSources(
  { transactions, rounds }: Pick<RoundsDeps, 'transactions' | 'rounds'>,
  network: TonNetwork,
  { pool, proxy }: { readonly pool: string; readonly proxy: string },
): readonly Source[] {
  const part = accountKey({ chain: 'ton', network, address: pool });
  return [...transactions.sources(network, proxy), { collection: rounds.collection, part }];
}

/** The ends of all rounds with what was observed, oldest first; undefined of those that were not read yet. */
export interface ObservedRounds {
  readonly end: RoundEnd;
  readonly pool: PoolRound | null | undefined;
  /** RFC 3339 instant of the reading. */
  readonly at: string | null;
}

/** Null while the ends are not all known. */
export function observedRounds(
  deps: Pick<RoundsDeps, 'views' | 'transactions' | 'rounds'>,
  network: TonNetwork,
  of: { readonly pool: string; readonly proxy: string },
): Promise<readonly ObservedRounds[] | null> {
  const sources = roundSources(deps, network, of);
  return deps.views.cached({ key: ['rounds of a staking pool', network, of.pool], sources }, async () => {
    const ends = await readRoundEnds(deps, network, of);
    if (!ends) return null;
    const found = await deps.rounds.findMany(ends);
    return ends.map((end, place) => {
      const observed = found[place];
      return { end, pool: observed ? observed.data : undefined, at: observed?.at ?? null };
    });
  });
}

/**
 * The rounds of a pool, oldest first, up to the newest that was read: the one that has just ended is read within seconds.
 * @throws Problem 503 while older ones are not read
 */
export async function readKnownRounds(
  deps: Pick<RoundsDeps, 'views' | 'transactions' | 'rounds'>,
  network: TonNetwork,
  of: { readonly pool: string; readonly proxy: string },
): Promise<readonly KnownRound[]> {
  const rounds = await observedRounds(deps, network, of);
  const newest = rounds?.findLastIndex(({ pool }) => pool !== undefined) ?? -1;
  const known = rounds?.slice(0, newest + 1) ?? [];
  const isEmpty = rounds?.length === 0;
  const isWhole = isEmpty || (newest >= 0 && known.every(({ pool }) => pool !== undefined));
  if (!isWhole)
    throw Problem.unavailable(
      'The rounds of the pool have not been read yet; try again.',
      RETRY_AFTER_SECONDS,
    );
  return known.map(({ end, pool }) => ({ end, pool: pool ?? null }));
}
