import type { OpenElection } from '../elections/elector';
import type { ElectionPhase, ElectionSchedule } from '../elections/schedule';
import type { PoolState } from './pool-state';

/** What the controller has a pool do. */
export type PoolStep =
  | { readonly type: 'accept'; readonly deposits: readonly bigint[]; readonly withdraws: readonly bigint[] }
  | { readonly type: 'stake'; readonly stakeAt: number; readonly amount: bigint }
  | { readonly type: 'finalize' }
  | { readonly type: 'recover' };

export interface ChainView {
  /** Unix seconds. */
  readonly utime: number;
  readonly elections: ElectionSchedule;
  readonly phase: ElectionPhase;
  election(): OpenElection | null;
  /** Whether the elector has something for the proxy of the pool. */
  hasCredit(): boolean;
}

/** As `pool-stake.fc`: a stake is recovered so many seconds after it may be given back. */
export const RECOVERY_DELAY = 300;
/** Nanotons that the way to the elector may cost a stake. */
const TRANSIT_FEES = 1_000_000_000n;
/** A stake is this part of all stakes at least. */
const MAX_STAKES = 4_096n;
/** Members that one message accepts at most: each costs gas. */
const MAX_ACCEPTED = 40;

/**
 * What is due for a pool, by its own state and the elector's alone; null when nothing is. In the order of a round: deposits and
 * withdrawals are accepted when the next election is open, then all is staked; after its round the lock is finalised, and the
 * stake recovered. A pool of which only its owner is a member rests.
 */
export function nextStep(pool: PoolState, chain: ChainView): PoolStep | null {
  if (pool.querySent) return null;
  return pool.sent > 0n ? endOfRound(pool, chain) : startOfRound(pool, chain);
}

function endOfRound(pool: PoolState, chain: ChainView): PoolStep | null {
  if (!pool.lockFinal) return isRoundOver(pool, chain) ? { type: 'finalize' } : null;
  return isRecoverable(pool, chain) && chain.hasCredit() ? { type: 'recover' } : null;
}

function startOfRound(pool: PoolState, chain: ChainView): PoolStep | null {
  const election = openElection(chain);
  if (!election) return null;
  if (pool.pendingWithdraw > 0n || pool.pendingDeposits > 0n) {
    const { deposits, withdraws } = pool.pendingMembers();
    return {
      type: 'accept',
      deposits: deposits.slice(0, MAX_ACCEPTED),
      withdraws: withdraws.slice(0, MAX_ACCEPTED),
    };
  }
  const { balance: amount } = pool;
  if (!isStakeEnough(amount, election) || !pool.hasNominators()) return null;
  return { type: 'stake', stakeAt: election.electAt, amount };
}

type Rounds = Pick<ChainView, 'utime' | 'elections' | 'phase'>;

/** Whether the validators of the round of a stake are the previous ones, or older. */
export function isRoundOver(
  { stakeAt }: { readonly stakeAt: number },
  { elections, phase }: Rounds,
): boolean {
  return elections.startOf(phase.round - 1) >= stakeAt;
}

/** Whether the pool asks the elector for its stake. */
export function isRecoverable({ until }: { readonly until: number }, { utime }: Rounds): boolean {
  return until + RECOVERY_DELAY <= utime;
}

/** The election that takes stakes now; null when there is none. */
export function openElection(chain: Rounds & Pick<ChainView, 'election'>): OpenElection | null {
  if (chain.phase.step !== 'open') return null;
  const election = chain.election();
  return election && election.electAt > chain.utime && election.closesAt > chain.utime ? election : null;
}

/** Whether the elector takes so many nanotons. */
export function isStakeEnough(amount: bigint, { minStake, totalStake }: OpenElection): boolean {
  const accepted = amount - TRANSIT_FEES;
  return accepted >= minStake && accepted * MAX_STAKES >= totalStake + accepted;
}
