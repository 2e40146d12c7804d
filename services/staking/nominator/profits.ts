import { NO_STAKE, wholeStake, type StakeOfMember } from '../../../contracts/chain/ton-staking';
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

/** What a member has earned, where it has this stake after these movements. Nanotons, exact. */
export function profitUpTo(stake: StakeOfMember, movements: readonly Movement[]): bigint {
  const { deposited, withdrawn } = sumsOf(movements);
  return wholeStake(stake) + withdrawn - deposited;
}

function sumsOf(movements: readonly Movement[]): Pick<Profits, 'deposited' | 'withdrawn'> {
  let [deposited, withdrawn] = [0n, 0n];
  for (const { type, amount } of movements)
    if (type === 'deposit') deposited += amount;
    else withdrawn += amount;
  return { deposited, withdrawn };
}

/**
 * @param movements up to the block of the stake, in the order of the pool
 * @param after oldest first, up to that block
 */
export function profitsOf(
  observed: StakeOfMember,
  movements: readonly Movement[],
  after: readonly StakeAfterRound[],
): Profits {
  const rounds: ProfitOfRound[] = [];
  let [moved, before, passed, next] = [0n, 0n, 0, 0];
  for (const { stake, poolLt, ...of } of after) {
    for (; next < movements.length && movements[next]!.poolLt <= poolLt; next++)
      moved -= profitUpTo(NO_STAKE, [movements[next]!]);
    passed++;
    if (!stake) continue;
    const profit = wholeStake(stake) - moved;
    rounds.push({ ...of, amount: profit - before, rounds: passed });
    [before, passed] = [profit, 0];
  }
  return { total: profitUpTo(observed, movements), ...sumsOf(movements), rounds };
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
