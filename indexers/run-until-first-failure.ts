import { setMaxListeners } from 'node:events';

/**
 * Runs loops concurrently until the signal. When one fails the others are stopped, and its error is thrown.
 * Errors after the signal are ignored.
 */
export async function runUntilFirstFailure(
  signal: AbortSignal,
  loops: readonly ((signal: AbortSignal) => Promise<unknown>)[],
): Promise<void> {
  const failure = new AbortController();
  const either = AbortSignal.any([signal, failure.signal]);
  setMaxListeners(0, either); // one for each request in flight
  const failures: unknown[] = [];
  await Promise.all(
    loops.map(async loop => {
      try {
        await loop(either);
      } catch (error) {
        if (!either.aborted) failures.push(error);
        failure.abort();
      }
    }),
  );
  if (failures.length > 0) throw failures[0];
}
