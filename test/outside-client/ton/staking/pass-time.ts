import { ask } from '../../program';

/** Of the clock of the chain: an eighth of a round, so that none of its phases is left out. */
const STEP_SECONDS = 8_192;
/** Some ten rounds. */
const MAX_STEPS = 80;

/**
 * Moves the clock of the local main network on until what is awaited has happened.
 * @param followed resolves once what the chain has done by then is known where it is asked whether it has happened
 * @throws after some ten rounds
 */
export async function passTime(
  url: string,
  followed: () => Promise<void>,
  hasHappened: () => Promise<boolean>,
): Promise<void> {
  for (let step = 0; step < MAX_STEPS; step++) {
    if (await hasHappened()) return;
    // It is answered once the contracts have done what they do on the way.
    await ask(`${url}/devnet/ton/advance`, { seconds: STEP_SECONDS });
    await followed();
  }
  throw new Error(`nothing for ${MAX_STEPS * STEP_SECONDS} seconds of the chain's time`);
}

/** The limit of a test that lets rounds pass: it takes a minute, and on a busy machine several times as long. */
export const ROUNDS_LIMIT_MS = 1_200_000;
