import { EngineUnavailable } from '../../../../contracts/engine/engine-unavailable';

/**
 * The result of the work, until its time is over or `operation` is aborted: then the signal tells the work, which goes on until
 * it sees that.
 * @param timeoutMs null for no limit
 * @throws EngineUnavailable when the time is over; the reason of an abort
 */
export async function limited<Result>(
  timeoutMs: number | null,
  work: (signal: AbortSignal) => Promise<Result>,
  operation = new AbortController(),
): Promise<Result> {
  const { signal } = operation;
  const end = (): void =>
    operation.abort(new EngineUnavailable('documents', `MongoDB did not answer within ${timeoutMs} ms`));
  const timer = timeoutMs === null ? undefined : setTimeout(end, timeoutMs).unref();
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
  const working = work(signal);
  working.catch(() => undefined);
  try {
    return await Promise.race([working, aborted]);
  } finally {
    clearTimeout(timer);
  }
}
