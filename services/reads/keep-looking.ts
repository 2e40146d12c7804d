import { partOf, type Source } from '../../contracts/ports/documents';
import { createBackoff } from '../../contracts/retry/backoff';
import type { Views } from '../../projections/views';

/** Between two looks where nothing has changed: what is looked for may come to be without a change of what was read. */
const INTERVAL_MS = 60_000;
const [MIN_RETRY_MS, MAX_RETRY_MS] = [2_000, 10 * 60_000];

/** What a look has found. */
export interface Look {
  /** Whether nothing is left to do for now; otherwise there is another look soon. */
  readonly isDone: boolean;
  /** What has to change for something new. */
  readonly sources: readonly Source[];
}

/** After a look during which something has changed. */
const CHANGED_MS = 100;

/** Looks again whenever a source changes, and from time to time, until the signal; after a failure with exponential back-off. */
export async function keepLooking(
  views: Pick<Views, 'waitForChange' | 'subscribe'>,
  look: () => Promise<Look>,
  onError: (error: unknown) => void,
  signal: AbortSignal,
): Promise<void> {
  const backoff = createBackoff(MIN_RETRY_MS, MAX_RETRY_MS);
  let looked: Look = { isDone: false, sources: [] };
  while (!signal.aborted) {
    // What changes during a look may have been read before it did.
    const changes = noteChanges(views, looked.sources);
    try {
      looked = await look();
    } catch (error) {
      looked = { isDone: false, sources: looked.sources };
      onError(error);
    }
    if (looked.isDone) backoff.reset();
    const waitMs = looked.isDone ? INTERVAL_MS : backoff.next();
    await views.waitForChange(looked.sources, changes.end() ? CHANGED_MS : waitMs, signal);
  }
}

/** Notes whether one of the sources changes. `end` says whether one has. */
function noteChanges(
  views: Pick<Views, 'subscribe'>,
  sources: readonly Source[],
): { readonly end: () => boolean } {
  let hasChanged = false;
  const subscriptions = sources.map(({ collection, part }) =>
    views.subscribe(collection, parts => {
      hasChanged ||= !parts || part === undefined || parts.has(partOf(part));
    }),
  );
  return {
    end() {
      for (const unsubscribe of subscriptions) unsubscribe();
      return hasChanged;
    },
  };
}
