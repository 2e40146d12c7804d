/** Runs loops until the signal; when one fails, the others are stopped and its error is thrown. */
export async function together(
  signal: AbortSignal,
  loops: readonly ((stop: AbortSignal) => Promise<void>)[],
): Promise<void> {
  const stop = new AbortController();
  const abort = (): void => stop.abort();
  signal.addEventListener('abort', abort, { once: true });
  if (signal.aborted) abort();
  const failures: unknown[] = [];
  const guarded = loops.map(loop =>
    loop(stop.signal).catch(error => {
      failures.push(error);
      abort();
    }),
  );
  await Promise.all(guarded);
  signal.removeEventListener('abort', abort);
  if (failures.length > 0) throw failures[0];
}
