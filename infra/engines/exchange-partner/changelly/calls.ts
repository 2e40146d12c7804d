import type { Logger } from 'pino';
import { z } from 'zod';
import {
  PartnerRefused,
  PartnerUnavailable,
  type PartnerCall,
} from '../../../../contracts/ports/exchange-partner';
import { backoffMs } from '../../../../contracts/retry/backoff';
import { sleep } from '../../../../contracts/retry/retry';
import { createRequestBudget, type SharedBudget } from '../../request-budget/budget';
import { createRpc, RpcRefused, type CallOptions, type RpcOptions } from './json-rpc';
import { failureOf } from './refusals';

export interface CallsOptions extends Pick<RpcOptions, 'url' | 'signer' | 'credentials'> {
  readonly requestsPerSecond: number;
  /** Of all processes that use the same account; default: this process has the budget alone. */
  readonly sharedBudget?: SharedBudget | undefined;
  readonly logger: Logger;
  /** Called after each request. */
  readonly onRequest?: (request: PartnerRequest) => void;
  /** Of one request; default 8,000. */
  readonly timeoutMs?: number;
  /** Before a read is repeated, growing from there; default 250. */
  readonly backoffMs?: number;
  /** Decompressed bytes of one answer; default 8 MiB. */
  readonly maxBytes?: number;
}

export interface PartnerRequest {
  readonly method: string;
  readonly outcome: 'answered' | 'refused' | 'failed';
  readonly seconds: number;
}

const ATTEMPTS = { estimate: 2, order: 2, refresh: 1, background: 3 } as const;
const MAX_BACKOFF_MS = 2_000;

/** Calls of the API within the budget; their answers are parsed. @throws PartnerRefused, PartnerUnavailable */
export interface Calls {
  /** Repeated when it fails, unless the partner has understood and refused. */
  read<T>(method: string, params: unknown, call: PartnerCall, parse: (answer: unknown) => T): Promise<T>;
  /** Of what the partner must not be asked twice: it is sent once, on a connection of its own. */
  once<T>(method: string, params: unknown, call: PartnerCall, parse: (answer: unknown) => T): Promise<T>;
  close(): Promise<void>;
}

export function createCalls(options: CallsOptions): Calls {
  const { requestsPerSecond, logger, timeoutMs = 8_000, maxBytes = 8 * 2 ** 20 } = options;
  const rpc = createRpc({ ...options, timeoutMs, maxBytes });
  const budget = createRequestBudget({ perSecond: requestsPerSecond, shared: options.sharedBudget });

  /** Of a call that the budget has admitted. */
  async function send(
    method: string,
    params: unknown,
    { signal }: Pick<PartnerCall, 'signal'>,
    how?: Pick<CallOptions, 'isolated'>,
  ) {
    const started = performance.now();
    let outcome: PartnerRequest['outcome'] = 'failed';
    try {
      const answer = await rpc.call(method, params, { signal, ...how });
      outcome = 'answered';
      return answer;
    } catch (error) {
      if (error instanceof RpcRefused) outcome = 'refused';
      throw error;
    } finally {
      options.onRequest?.({ method, outcome, seconds: (performance.now() - started) / 1_000 });
    }
  }

  /** A partner that asks to be left alone is, by all calls. @returns for how long; null when it has not asked */
  function pauseAsAsked(failure: Error): number | null {
    const retryAfterMs = failure instanceof PartnerUnavailable ? failure.retryAfterMs : null;
    if (retryAfterMs !== null) budget.pause(retryAfterMs);
    return retryAfterMs;
  }

  return {
    async read(method, params, call, parse) {
      for (let attempt = 1; ; attempt++) {
        // What our own budget refuses is no reason to leave the partner alone.
        await budget.take(call);
        try {
          return parsed(method, parse, await send(method, params, call));
        } catch (error) {
          const failure = failureOf(error, false);
          if (failure instanceof PartnerRefused) throw failure;
          const pauseMs =
            pauseAsAsked(failure) ?? backoffMs(attempt - 1, options.backoffMs ?? 250, MAX_BACKOFF_MS);
          const isLast = attempt >= ATTEMPTS[call.priority] || pauseMs > MAX_BACKOFF_MS;
          if (isLast || call.signal.aborted) throw failure;
          logger.debug({ method, attempt, err: failure }, 'exchange partner failed');
          await sleep(pauseMs, call.signal);
        }
      }
    },

    async once(method, params, call, parse) {
      await budget.take(call);
      try {
        return parsed(method, parse, await send(method, params, call, { isolated: true }));
      } catch (error) {
        const failure = failureOf(error, true);
        pauseAsAsked(failure);
        throw failure;
      }
    },

    close: () => rpc.close(),
  };
}

/** @throws Error that is short enough to log, and quotes nothing */
function parsed<T>(method: string, parse: (answer: unknown) => T, answer: unknown): T {
  try {
    return parse(answer);
  } catch (error) {
    if (!(error instanceof z.ZodError)) throw error;
    const [issue] = error.issues;
    const message = `${method}: the answer is malformed at ${issue?.path.join('.')}: ${issue?.message}`;
    throw new Error(message, { cause: error });
  }
}
