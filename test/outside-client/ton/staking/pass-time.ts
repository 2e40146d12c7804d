import { setTimeout as sleep } from 'node:timers/promises';
import { ask } from '../../program';
import type { Node } from '../node';

/** Of the clock of the chain: an eighth of a round, so that none of its phases is left out. */
const STEP_SECONDS = 8_192;
/** Some ten rounds. */
const MAX_STEPS = 80;
/** Without a new block for so long, the contracts have done what they do in the phase that a step may have begun. */
const QUIET_MS = 1_500;

/** Moves the clock of the local main network on until what is awaited has happened. @throws after some ten rounds */
export async function passTime(url: string, node: Node, hasHappened: () => Promise<boolean>): Promise<void> {
  for (let step = 0; step < MAX_STEPS; step++) {
    if (await hasHappened()) return;
    await ask(`${url}/devnet/ton/advance`, { seconds: STEP_SECONDS });
    for (let tip = -1; tip !== (tip = await node.tip());) await sleep(QUIET_MS);
  }
  throw new Error(`nothing for ${MAX_STEPS * STEP_SECONDS} seconds of the chain's time`);
}

/** The limit of a test that lets rounds pass: it takes three minutes, and on a busy machine several times as long. */
export const ROUNDS_LIMIT_MS = 1_200_000;
