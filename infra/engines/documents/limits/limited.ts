import { EngineUnavailable } from '../../../../contracts/engine/engine-unavailable';
import { withTimeout } from '../../../../contracts/retry/with-timeout';

/**
 * The result of the work, until its time is over: then the signal tells the work, which goes on until it sees that.
 * @throws EngineUnavailable when the time is over
 */
export function limited<Result>(
  timeoutMs: number,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const operation = new AbortController();
  return withTimeout(timeoutMs, work(operation.signal), () => {
    operation.abort(new EngineUnavailable('documents', `the server did not answer within ${timeoutMs} ms`));
    throw operation.signal.reason;
  });
}
