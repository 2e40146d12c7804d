import { type ChainView, isRecoverable, isRoundOver, isStakeEnough, openElection } from '../next-step';
import type { LiquidPoolState } from './liquid-state';
import type { ProxyIndex } from './liquid';

/** What the controller has a liquid pool do. */
export type LiquidStep =
  | { readonly type: 'round'; readonly electAt: number }
  | {
      readonly type: 'stake';
      readonly proxy: ProxyIndex;
      readonly stakeAt: number;
      readonly amount: bigint;
    }
  | { readonly type: 'finalize' | 'recover'; readonly proxy: ProxyIndex };

export interface LiquidChainView extends Omit<ChainView, 'hasCredit'> {
  hasCredit(proxy: ProxyIndex): boolean;
  /** Jettons of the owner: a pool with no others, and that owes nothing, rests. */
  readonly ownSupply: bigint;
}

const PROXIES: readonly ProxyIndex[] = [0, 1];

/**
 * What is due for a liquid pool, by its own state and the elector's alone; null when nothing is. What its proxies have staked is
 * recovered as soon as that is possible. Each election that opens starts a round, in which one of them stakes.
 */
export function nextLiquidStep(pool: LiquidPoolState, chain: LiquidChainView): LiquidStep | null {
  for (const proxy of PROXIES) {
    const step = endOfStake(pool, proxy, chain);
    if (step) return step;
  }
  return startOfRound(pool, chain);
}

function endOfStake(pool: LiquidPoolState, proxy: ProxyIndex, chain: LiquidChainView): LiquidStep | null {
  const stake = pool.stakeOf(proxy);
  if (stake.querySent || stake.sent === 0n) return null;
  if (!stake.lockFinal) return isRoundOver(stake, chain) ? { type: 'finalize', proxy } : null;
  return isRecoverable(stake, chain) && chain.hasCredit(proxy) ? { type: 'recover', proxy } : null;
}

function startOfRound(pool: LiquidPoolState, chain: LiquidChainView): LiquidStep | null {
  if (pool.supply === chain.ownSupply && pool.owed === 0n) return null;
  const election = openElection(chain);
  if (!election) return null;
  const { electAt } = election;
  if (electAt > pool.lastElectionId) return { type: 'round', electAt };
  const proxy: ProxyIndex = pool.roundId & 1 ? 1 : 0;
  const { sent, querySent } = pool.stakeOf(proxy);
  if (sent > 0n || querySent) return null;
  const amount = amountOf(pool).find(each => isStakeEnough(each, election));
  return amount === undefined ? null : { type: 'stake', proxy, stakeAt: electAt, amount };
}

/**
 * What is to be staked, or else what may be: of what is not staked half is left for the next round, unless the round before has
 * its stake already. What is owed comes first, as far as it is there, and the balance does not have it.
 */
function amountOf({ balance, sent }: LiquidPoolState): readonly bigint[] {
  const free = balance - sent;
  return sent > 0n ? [free] : [free / 2n, free];
}
