import type { TonBlockRef } from '../../contracts/ports/ton-client';

/** Seconds by which the clock of this machine may differ from that of the network. */
export const MAX_SKEW = 60;
/** Seconds by which the newest block may be older than the clock says: beyond the skew, nodes are behind, or stuck. */
const MAX_BEHIND = 120;

const secondsOf = (clock: Date): number => Math.floor(clock.getTime() / 1_000);

/**
 * Unix seconds that the network is at, at least: a node that is behind says an earlier time, at which a request that has expired
 * would still seem to be valid. The clock counts only as far as it cannot be wrong.
 */
export function chainTime({ now }: Pick<TonBlockRef, 'now'>, clock: Date): number {
  return Math.max(now, secondsOf(clock) - MAX_SKEW);
}

/** Whether the states of the newest block say nothing about what wallets have now. */
export function isBehind({ now }: Pick<TonBlockRef, 'now'>, clock: Date): boolean {
  return now < secondsOf(clock) - MAX_BEHIND;
}
