import type { TonBlockRef } from '../../contracts/ports/ton-client';

/** Seconds by which the clock of this machine may differ from that of the network. */
export const MAX_SKEW = 60;

/**
 * Unix seconds that the network is at, at least: a node that is behind says an earlier time, at which a request that has expired
 * would still seem to be valid. The clock counts only as far as it cannot be wrong.
 */
export function chainTime({ now }: Pick<TonBlockRef, 'now'>, clock: Date): number {
  return Math.max(now, Math.floor(clock.getTime() / 1_000) - MAX_SKEW);
}
