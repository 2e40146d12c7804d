import { setTimeout as sleep } from 'node:timers/promises';

const FIRST_WAIT = 100;
const LONGEST_WAIT = 10_000;

/** Runs the work again whenever it fails, waiting longer each time it gets nowhere, until the signal. */
export async function persevere(
  signal: AbortSignal,
  work: (onProgress: () => void) => Promise<void>,
  onError: (error: unknown) => void,
): Promise<void> {
  for (let failures = 0; !signal.aborted;) {
    try {
      await work(() => (failures = 0));
    } catch (error) {
      if (signal.aborted) return;
      onError(error);
      const wait = Math.min(FIRST_WAIT * 2 ** failures++, LONGEST_WAIT);
      await sleep(wait, undefined, { signal }).catch(() => undefined);
    }
  }
}
