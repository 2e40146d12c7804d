import type { TonBlockRef, TonClient } from '../../../contracts/ports/ton-client';

/** What a pool has: nanotons, and smallest units of its jetton. */
export interface Reserves {
  readonly coins: bigint;
  readonly jettons: bigint;
}

export type PoolClient = Pick<TonClient, 'runMethod' | 'getBlockAt'>;

/** What a pool had as of a block; null when it has no such contract. @throws Error when the source does not answer */
export type ReadReserves = (client: PoolClient, seqno: number) => Promise<Reserves | null>;

/** An exchange, of which pools of coins and jettons are read on the chain. */
export interface PoolExchange {
  /** As a source of prices: `dedust`. */
  readonly name: string;
  /** From one mark to the next: a pool is also read at the last full multiples of it. */
  readonly markSeconds: number;
  /** The pool of coins and a jetton (raw); null when there is none. @throws Error when the source does not answer */
  findPool(client: PoolClient, seqno: number, master: string): Promise<ReadReserves | null>;
}

/** A pool with fewer nanotons makes no price: a few thousand dollars would move it as far as somebody likes. */
export const MIN_COINS = 1_000_000_000_000n;

/** Beside the newest block, a pool is read at so many marks. */
const MARKS = 6;

/**
 * What a pool has, such that a trade just now does not count: of the newest block and those at the last six marks, the reserves
 * with the median price. Who wants to move it has to hold the pool at a wrong price from one mark to the second one after it,
 * against all who trade there. A pool that has enough only now makes no price either: it must have had enough in more than half
 * of these blocks, of which those before the network began do not count.
 * @returns null for a pool that has too little, or nothing of one
 */
export async function steadyReserves(
  client: PoolClient,
  last: TonBlockRef,
  read: ReadReserves,
  markSeconds: number,
): Promise<Reserves | null> {
  const current = await read(client, last.seqno);
  if (!current || !isDeep(current)) return null;
  const mark = Math.floor(last.now / markSeconds) * markSeconds;
  const before = await Promise.all(
    Array.from({ length: MARKS }, async (_, n) => {
      const seqno = await client.getBlockAt(mark - n * markSeconds);
      return seqno === null || seqno > last.seqno ? [] : [await read(client, seqno)];
    }),
  );
  const all = [current, ...before.flat()];
  const deep = all.filter(reserves => reserves !== null).filter(isDeep);
  if (2 * deep.length <= all.length) return null;
  return deep.sort(byPrice)[(deep.length - 1) >> 1]!;
}

/** Whether a pool has enough to make a price. */
export function isDeep({ coins, jettons }: Reserves): boolean {
  return coins >= MIN_COINS && jettons > 0n;
}

const byPrice = (a: Reserves, b: Reserves): number => {
  const difference = a.coins * b.jettons - b.coins * a.jettons;
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
};

/** What the pool of an exchange has. */
export interface PoolState extends Reserves {
  readonly exchange: string;
}

/** A pool with less than this part of the coins of the deepest one does not count: a small one costs little to move. */
const MIN_PART = 10n;

/** The pools of coins and a jetton (raw) that make its price. @throws Error when the source does not answer */
export async function readPools(
  client: PoolClient,
  exchanges: readonly PoolExchange[],
  last: TonBlockRef,
  master: string,
): Promise<PoolState[]> {
  const found = await Promise.all(
    exchanges.map(async ({ name, findPool, markSeconds }) => {
      const read = await findPool(client, last.seqno, master);
      const reserves = read && (await steadyReserves(client, last, read, markSeconds));
      return reserves && { exchange: name, ...reserves };
    }),
  );
  const pools = found.filter(pool => pool !== null);
  return pools.filter(({ coins }) => pools.every(other => coins * MIN_PART >= other.coins));
}
