import type { Source } from '../../../contracts/ports/documents';
import { createBackoff } from '../../../contracts/retry/backoff';
import type { Views } from '../../../projections/views';

/** Between two looks where nothing has changed: there may be a pool later, and the proxy of one is to stay watched. */
const INTERVAL_MS = 60_000;
const [MIN_RETRY_MS, MAX_RETRY_MS] = [2_000, 10 * 60_000];

/** What a look has found. */
export interface Look {
  /** Whether nothing is left to do for now; otherwise there is another look soon. */
  readonly isDone: boolean;
  /** What has to change for something new. */
  readonly sources: readonly Source[];
}

/** Looks again whenever a source changes, and from time to time, until the signal; after a failure with exponential back-off. */
export async function keepLooking(
  views: Pick<Views, 'waitForChange'>,
  look: () => Promise<Look>,
  onError: (error: unknown) => void,
  signal: AbortSignal,
): Promise<void> {
  const backoff = createBackoff(MIN_RETRY_MS, MAX_RETRY_MS);
  while (!signal.aborted) {
    let looked: Look = { isDone: false, sources: [] };
    try {
      looked = await look();
    } catch (error) {
      onError(error);
    }
    if (looked.isDone) backoff.reset();
    await views.waitForChange(looked.sources, looked.isDone ? INTERVAL_MS : backoff.next(), signal);
  }
}
