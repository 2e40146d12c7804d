import { setTimeout as sleep } from 'node:timers/promises';
import { tryPost, type Outgoing } from './post';
import type { Bridge } from './request';

const RETRY_MS = 50;

/**
 * Posts a message until it is acknowledged, as clients do: they repeat the same ciphertext.
 * @param bridges to be tried in turn
 * @throws when it is refused for any reason but a server that is down
 */
export async function postUntilAcknowledged(bridges: readonly Bridge[], message: Outgoing): Promise<void> {
  for (let tries = 0; ; tries++) {
    const answer = await tryPost(bridges[tries % bridges.length]!, message).catch(() => undefined);
    if (answer?.status === 200) return;
    if (answer && answer.status < 500)
      throw new Error(`POST /message answered ${answer.status}: ${answer.text}`);
    await sleep(RETRY_MS);
  }
}
