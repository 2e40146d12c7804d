import { setMaxListeners } from 'node:events';

/**
 * Runs loops side by side until the signal. When one fails the others are stopped, and its error is thrown.
 * Errors that come of the signal itself are an orderly end.
 */
export async function together(
  signal: AbortSignal,
  loops: readonly ((signal: AbortSignal) => Promise<unknown>)[],
): Promise<void> {
  const own = new AbortController();
  setMaxListeners(0, own.signal); // one for each request in flight
  const stop = (): void => own.abort();
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop);
  const failures: unknown[] = [];
  await Promise.all(
    loops.map(async loop => {
      try {
        await loop(own.signal);
      } catch (error) {
        if (!own.signal.aborted) failures.push(error);
        own.abort();
      }
    }),
  );
  signal.removeEventListener('abort', stop);
  if (failures.length > 0) throw failures[0];
}
