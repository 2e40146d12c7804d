import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { backoffMs } from '../../../contracts/backoff';
import { messageOf } from '../../../contracts/error-message';
import { COMPRESSED, HttpError, responseText } from '../../http-response';
import { SourceError } from '../source';

export interface HttpClientOptions {
  /** Base URLs of servers of one network; when one fails the next is used. */
  readonly endpoints: readonly string[];
  /** Milliseconds for one response; default 5,000. */
  readonly timeoutMs?: number;
  /** Attempts in all before an error; default 4 for each endpoint. */
  readonly maxAttempts?: number;
  /** First wait between attempts in milliseconds, doubling up to 2 s; default 50. */
  readonly retryMs?: number;
  /** Connections to each endpoint; default 32. */
  readonly connections?: number;
  onRetry?(endpoint: string, path: string, error: unknown): void;
}

export interface HttpClient {
  /** @throws SourceError when no endpoint gave a response that `parse` accepts. */
  get<T>(path: string, parse: (json: unknown) => T, signal: AbortSignal): Promise<T>;
  close(): Promise<void>;
}

const MAX_RETRY_MS = 2_000;

/** JSON over keep-alive connections: a timeout for each attempt, back-off between them, failover to the next endpoint. */
export function createHttpClient(options: HttpClientOptions): HttpClient {
  const endpoints = options.endpoints.map(url => url.replace(/\/+$/, ''));
  const { timeoutMs = 5_000, maxAttempts = 4 * endpoints.length, retryMs = 50, connections = 32 } = options;
  const dispatcher = new Agent({ connections, connect: { timeout: timeoutMs } });
  let current = 0;

  async function attempt<T>(url: string, parse: (json: unknown) => T, signal: AbortSignal): Promise<T> {
    const timeouts = { headersTimeout: timeoutMs, bodyTimeout: timeoutMs };
    const response = await request(url, { dispatcher, signal, headers: COMPRESSED, ...timeouts });
    return parse(JSON.parse(await responseText(response)));
  }

  return {
    async get(path, parse, signal) {
      for (let attempts = 1; ; attempts++) {
        const used = current;
        const endpoint = endpoints[used]!;
        try {
          return await attempt(endpoint + path, parse, signal);
        } catch (error) {
          signal.throwIfAborted();
          if (attempts >= maxAttempts)
            throw new SourceError(`${path}: ${messageOf(error)} (after ${attempts} attempts)`, {
              cause: error,
            });
          options.onRetry?.(endpoint, path, error);
          if (current === used) current = (used + 1) % endpoints.length;
          const askedMs = error instanceof HttpError ? (error.retryAfterMs ?? 0) : 0;
          const waitMs = backoffMs(attempts - 1, retryMs, MAX_RETRY_MS);
          // Another endpoint has not asked for a pause.
          const pauseMs = endpoints.length === 1 ? Math.max(waitMs, askedMs) : waitMs;
          await sleep(pauseMs, undefined, { signal });
        }
      }
    },
    close: () => dispatcher.destroy(),
  };
}
