import type { TonBlockRef } from '../ports/ton-client';

/** Seconds by which the newest block may be older than the clock says: beyond what clocks may differ by, a node is behind, or stuck. */
const MAX_BEHIND = 120;

/** Whether the states of the newest block that a node has say nothing about what accounts have now. */
export function isBehind({ now }: Pick<TonBlockRef, 'now'>, clock: Date): boolean {
  return now < Math.floor(clock.getTime() / 1_000) - MAX_BEHIND;
}
