import { RpcError, type RpcCall, type RpcOutcome } from '../../../contracts/ports/solana-client';
import { HttpError } from '../../../indexers/http-response';
import { BatchRefused } from './json-rpc';

/** Calls of one request at most: providers accept from ten to a thousand. */
export const MAX_BATCH = 100;

/** Calls at a time to a node that accepts no batches. */
const MAX_SINGLE = 4;

/** How HTTP refuses a request for what it is, or for its size. */
const REFUSING_STATUSES: ReadonlySet<number> = new Set([400, 403, 405, 413, 415, 422, 501]);

const isRefusal = (error: unknown): boolean =>
  error instanceof BatchRefused || (error instanceof HttpError && REFUSING_STATUSES.has(error.status));

/** Of `AbortSignal.timeout`: before the response, or within it. */
const isTimeout = (error: unknown): boolean => {
  const { name, cause } = error as { readonly name?: unknown; readonly cause?: unknown };
  return name === 'TimeoutError' || (cause as { name?: unknown } | undefined)?.name === 'TimeoutError';
};

/**
 * Sends calls to one node in batches of a size that it accepts. A size that the node refuses is halved for good, down to
 * single calls; one that takes too long is halved for a while.
 */
export function createBatches(
  call: (one: RpcCall) => Promise<unknown>,
  callBatch: (calls: readonly RpcCall[]) => Promise<readonly RpcOutcome[]>,
): (calls: readonly RpcCall[]) => Promise<RpcOutcome[]> {
  let accepted = MAX_BATCH;
  let size = MAX_BATCH;

  const outcomeOf = async (one: RpcCall): Promise<RpcOutcome> => {
    try {
      return { result: await call(one) };
    } catch (error) {
      if (error instanceof RpcError) return { error };
      throw error;
    }
  };

  async function sendBatch(calls: readonly RpcCall[]): Promise<readonly RpcOutcome[]> {
    try {
      const outcomes = await callBatch(calls);
      size = Math.min(accepted, size + 1);
      return outcomes;
    } catch (error) {
      const half = Math.floor(calls.length / 2);
      if (isTimeout(error)) size = Math.min(size, half);
      if (!isRefusal(error)) throw error;
      accepted = half;
      size = half;
      return [];
    }
  }

  return async calls => {
    const outcomes: RpcOutcome[] = [];
    while (outcomes.length < calls.length) {
      const rest = calls.slice(outcomes.length);
      const sent =
        size === 1 || rest.length === 1
          ? Promise.all(rest.slice(0, MAX_SINGLE).map(outcomeOf))
          : sendBatch(rest.slice(0, size));
      outcomes.push(...(await sent));
    }
    return outcomes;
  };
}
