import { wholeStake, type NominatorObserved, type StakeOfMember } from '../../../contracts/chain/ton-staking';
import type { Movement } from './movements';

/** How profits are computed, for those who check them. */
export const PROFIT_FORMULA =
  'balance + withdraw + pendingDeposit + paid withdrawals - deposits, all without fees and as of one block; of a round: the difference to the round before';

/** What a member had after a round; null where the nodes do not have that block any more. */
export interface StakeAfterRound {
  /** Start of the round in Unix seconds. */
  readonly round: number;
  /** Of the end, Unix seconds. */
  readonly time: number;
  readonly seqno: number;
  /** Logical time of the newest transaction of the pool then. */
  readonly poolLt: bigint;
  readonly stake: StakeOfMember | null;
}

export interface ProfitOfRound {
  readonly round: number;
  readonly time: number;
  readonly seqno: number;
  /** Nanotons; below zero for a loss. */
  readonly amount: bigint;
  /** How many rounds it is of: more than one where earlier ones could not be read. */
  readonly rounds: number;
}

export interface Profits {
  /** Nanotons since the first deposit. */
  readonly total: bigint;
  readonly deposited: bigint;
  readonly withdrawn: bigint;
  /** Oldest first. */
  readonly rounds: readonly ProfitOfRound[];
}

const sumOf = (movements: readonly Movement[], type: Movement['type'], upTo: bigint): bigint =>
  movements.reduce(
    (sum, movement) => (movement.type === type && movement.poolLt <= upTo ? sum + movement.amount : sum),
    0n,
  );

/** What a member has earned up to a transaction of the pool, after which it had this stake. Nanotons, exact. */
export function profitUpTo(stake: StakeOfMember, movements: readonly Movement[], poolLt: bigint): bigint {
  const [paid, deposited] = [sumOf(movements, 'withdraw', poolLt), sumOf(movements, 'deposit', poolLt)];
  return wholeStake(stake) + paid - deposited;
}

/** @param after oldest first, up to the block of the stake */
export function profitsOf(
  observed: NominatorObserved,
  movements: readonly Movement[],
  after: readonly StakeAfterRound[],
): Profits {
  const poolLt = BigInt(observed.poolLt);
  const rounds: ProfitOfRound[] = [];
  let [before, passed] = [0n, 0];
  for (const { stake, poolLt: then, ...of } of after) {
    passed++;
    if (!stake) continue;
    const profit = profitUpTo(stake, movements, then);
    rounds.push({ ...of, amount: profit - before, rounds: passed });
    [before, passed] = [profit, 0];
  }
  return {
    total: profitUpTo(observed, movements, poolLt),
    deposited: sumOf(movements, 'deposit', poolLt),
    withdrawn: sumOf(movements, 'withdraw', poolLt),
    rounds,
  };
}

/**
 * What of it was earned since an instant, Unix seconds: since the end of the last round before it. Null where that could not be
 * read.
 */
export function profitSince(
  { total, rounds }: Pick<Profits, 'total' | 'rounds'>,
  after: readonly StakeAfterRound[],
  since: number,
): bigint | null {
  const before = after.findLast(({ time }) => time < since);
  if (!before) return total;
  if (!before.stake) return null;
  const earlier = rounds.filter(({ time }) => time <= before.time);
  return total - earlier.reduce((sum, { amount }) => sum + amount, 0n);
}
