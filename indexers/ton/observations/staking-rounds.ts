import type { TonNetwork } from '../../../contracts/network/network';
import {
  poolPartiesObserved,
  poolRoundObserved,
  type PoolRound,
  type PoolRoundObserved,
  type PoolRoundSubject,
} from '../../../contracts/chain/ton-staking';
import {
  defineObservation,
  type ObservationSource,
  type Reading,
} from '../../../contracts/observation/observation';
import type { TonClient } from '../../../contracts/ports/ton-client';
import { askContract } from '../get-method';
import { readStoredPool, type StoredPool } from '../nominator-pool';
import { electedForOf, endedElection } from './elections';
import { contractSubject, TON_SOURCE } from './source';

/** Its limits are its own: the past of pools delays nobody who asks for the present. */
const SOURCE: ObservationSource<{ readonly network: TonNetwork }> = {
  ...TON_SOURCE,
  name: 'ton-staking-rounds',
  maxConcurrent: 4,
};

/**
 * Who takes part in a pool beside its members, and what it charges them. A pool that does not answer any more, as after it was given
 * other code, takes nothing back: its rounds and movements were what they were.
 */
export const poolPartiesObservation = defineObservation({
  kind: 'ton.staking.pool.parties',
  subject: contractSubject,
  schema: poolPartiesObserved,
  source: SOURCE,
  minAgeMs: 1_000,
  staleAfterMs: 600_000,
  ages: false,
  async read(clients, { network, address }) {
    const client = clients.ton(network);
    const { seqno: height } = await client.getLastBlock();
    const ask = async <T>(method: string, read: Parameters<typeof askContract<T>>[5]): Promise<T | null> =>
      (await askContract(client, height, address, method, [], read)).value;
    const [owner, proxy, fees] = await Promise.all([
      ask('get_owner', stack => stack.readAddress().toRawString()),
      ask('get_proxy', stack => stack.readAddress().toRawString()),
      ask('get_params', stack => {
        for (let others = 0; others < 3; others++) stack.skip();
        const depositFee = String(stack.readBigNumber());
        for (let others = 0; others < 2; others++) stack.skip();
        return { depositFee, receiptPrice: String(stack.readBigNumber()) };
      }),
    ]);
    return { height, data: owner !== null && proxy !== null && fees ? { owner, proxy, ...fees } : null };
  },
  merge: (older, newer) => newer.data ?? older.data,
});

/**
 * The end of a round: `ton:testnet:0:…/<lt>.<time>.<hash>`, so that those of a pool are one part of the collection in the order
 * of their logical times.
 */
const roundSubject = {
  format: ({ network, pool, lt, time, hash }: PoolRoundSubject) =>
    `${contractSubject.format({ network, address: pool })}/${lt.padStart(20, '0')}.${time}.${Buffer.from(hash, 'base64').toString('hex')}`,
  parse(text: string): PoolRoundSubject {
    const [, account, lt, time, hash] = /^([^/]+)\/(\d{20})\.(\d{1,10})\.([0-9a-f]{64})$/.exec(text) ?? [];
    if (!hash) throw new Error(`not the end of a round of a pool: ${text}`);
    const { network, address: pool } = contractSubject.parse(account!);
    return {
      network,
      pool,
      time: Number(time),
      lt: String(BigInt(lt!)),
      hash: Buffer.from(hash, 'hex').toString('base64'),
    };
  },
};

/**
 * What a pool was before and after it took what the elector gave back. It never changes: one that was read stays. The nodes may
 * not have so old a block: then that is what is known, and the next reading tries again.
 */
export const poolRoundObservation = defineObservation({
  kind: 'ton.staking.round',
  subject: roundSubject,
  schema: poolRoundObserved,
  source: SOURCE,
  minAgeMs: 1_000,
  staleAfterMs: 86_400_000,
  ages: false,
  async read(clients, subject) {
    const client = clients.ton(subject.network);
    const tip = await client.getLastBlock();
    try {
      return await readRound(client, tip.seqno, subject);
    } catch (error) {
      if (!(await isForgotten(client, tip, subject))) throw error;
      // Below the height of any reading.
      return { height: 0, data: null };
    }
  },
});

/** Seconds: whatever fails about a younger block may be tried again soon. */
const FORGOTTEN_AFTER = 86_400;

/** Whether the nodes answer for a pool now, so that it is its past that they do not have. */
export async function isForgotten(
  client: Pick<TonClient, 'runMethod'>,
  tip: { readonly seqno: number; readonly now: number },
  { pool, time }: Pick<PoolRoundSubject, 'pool' | 'time'>,
): Promise<boolean> {
  if (tip.now - time < FORGOTTEN_AFTER) return false;
  const { value } = await askContract(client, tip.seqno, pool, 'get_owner', [], stack => stack.readAddress());
  return value !== null;
}

/** Null of a pool that was given other code, whose data cannot be read. */
async function readRound(
  client: TonClient,
  tip: number,
  { pool, time }: PoolRoundSubject,
): Promise<Reading<PoolRoundObserved>> {
  const near = await client.getBlockAt(time);
  if (near === null) throw new Error('the block of the end of the round is not known');
  const taken = await blockOfEnd(client, pool, time, { near, tip });
  const [staked, free] = await Promise.all([taken - 1, taken].map(seqno => poolAt(client, seqno, pool)));
  if (!staked || !free) return { height: taken, data: null };
  const data = {
    round: staked.stakeAt,
    before: {
      seqno: taken - 1,
      profitPerCoin: String(staked.profitPerCoin),
      balance: String(staked.balance),
      ownStake: String(staked.ownStake),
      sent: String(staked.sent),
      poolFee: staked.poolFee,
    },
    after: {
      seqno: taken,
      profitPerCoin: String(free.profitPerCoin),
      balance: String(free.balance),
      lt: free.lt,
    },
    election: await electionOf(client, taken - 1, staked),
  };
  return { height: taken, data };
}

/** What a pool has stored, with the logical time of its newest transaction. Null unless it says the same itself. */
async function poolAt(
  client: TonClient,
  seqno: number,
  pool: string,
): Promise<(StoredPool & { readonly lt: string }) | null> {
  const [{ data, lastTransaction }, status] = await Promise.all([
    client.getAccount(seqno, pool),
    client.runMethod(seqno, pool, 'get_pool_status'),
  ]);
  if (!data || !lastTransaction) throw new Error('the pool has no data');
  const [balance, sent] = [status.readBigNumber(), status.readBigNumber()];
  try {
    const stored = readStoredPool(data);
    return stored.balance === balance && stored.sent === sent ? { ...stored, lt: lastTransaction.lt } : null;
  } catch {
    return null;
  }
}

/** Blocks of the masterchain on either side of the instant at which the proxy had the money. */
const MAX_BLOCKS = 512;

/**
 * The first block in which the pool has taken back the stake of the round that was over at an instant: the stake of the next
 * round begins later than that. @throws Error when that is in none of the blocks near by
 */
async function blockOfEnd(
  client: Pick<TonClient, 'runMethod'>,
  pool: string,
  time: number,
  { near, tip }: { readonly near: number; readonly tip: number },
): Promise<number> {
  const isStaked = async (seqno: number): Promise<boolean> => {
    const stack = await client.runMethod(seqno, pool, 'get_staking_status');
    const stakeAt = stack.readNumber();
    stack.skip();
    return stack.readBigNumber() > 0n && stakeAt <= time;
  };
  let [staked, free] = [near, near];
  if (await isStaked(near))
    for (let step = 1; ; step *= 2) {
      free = Math.min(near + step, tip);
      if (free === staked || step > MAX_BLOCKS) throw new Error('the pool has not taken the stake back yet');
      if (!(await isStaked(free))) break;
      staked = free;
    }
  else
    for (let step = 1; ; step *= 2) {
      staked = Math.max(near - step, 0);
      if (staked === free || step > MAX_BLOCKS) throw new Error('the pool had no stake to take back');
      if (await isStaked(staked)) break;
      free = staked;
    }
  while (free - staked > 1) {
    const middle = Math.floor((staked + free) / 2);
    if (await isStaked(middle)) staked = middle;
    else free = middle;
  }
  return free;
}

/**
 * The election of a round after its end, when nothing of it changes any more: the elector forgets it once it has given the stakes
 * back. Null where no block says it.
 */
async function electionOf(
  client: TonClient,
  atEnd: number,
  { stakeAt, heldFor }: StoredPool,
): Promise<PoolRound['election']> {
  const found = await electionIn(client, atEnd, stakeAt).catch(() => null);
  if (found) return found;
  const config = await client.getConfig(atEnd, [15]).catch(() => null);
  if (!config) return null;
  const electedFor = electedForOf(config);
  const held = await client.getBlockAt(stakeAt + electedFor + Math.floor(heldFor / 2)).catch(() => null);
  return held === null ? null : electionIn(client, held, stakeAt).catch(() => null);
}

async function electionIn(client: TonClient, seqno: number, id: number): Promise<PoolRound['election']> {
  const found = await endedElection(client, seqno, id);
  if (!found) return null;
  const { totalStake, bonuses } = found.election;
  return { seqno, totalStake, bonuses, electedFor: found.electedFor };
}
