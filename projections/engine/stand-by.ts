import { isDeepStrictEqual } from 'node:util';
import type { Projection } from '../projection';
import type { Context } from './context';
import type { Generation } from './generation';
import { lagOf } from './lag';
import { pause } from './pause';

/** Milliseconds between two looks at the other runner, and looks in vain after which it counts as gone. */
const LOOK_EVERY = 1_000;
const PATIENCE = 3;

/**
 * Waits while another runner is at work on the generation: until its checkpoint stood still although there was
 * something to fold, or until the signal. A wrong guess does no harm, since the commits of the two still exclude each other.
 */
export async function standBy(
  context: Pick<Context, 'store' | 'log' | 'documents'>,
  projection: Projection,
  generation: Generation,
  signal: AbortSignal,
): Promise<void> {
  let last = await lagOf(context, projection, generation);
  for (let still = 0; still < PATIENCE && !signal.aborted;) {
    await pause(LOOK_EVERY, signal);
    const now = await lagOf(context, projection, generation);
    still = now.lag > 0 && isDeepStrictEqual(now.checkpoint, last.checkpoint) ? still + 1 : 0;
    last = now;
  }
}
