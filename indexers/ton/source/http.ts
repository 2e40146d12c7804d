import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { SourceError } from './port';

export interface HttpOptions {
  /** Base URLs of servers of one network; the next one is asked when one fails. */
  readonly endpoints: readonly string[];
  /** Milliseconds for one answer; default 5,000. */
  readonly timeout?: number;
  /** Tries in all before an error; default 4 for each endpoint. */
  readonly attempts?: number;
  /** First wait between tries in milliseconds, doubling up to 2 s; default 50. */
  readonly backoff?: number;
  /** Connections to each endpoint; default 32. */
  readonly connections?: number;
  onRetry?(endpoint: string, path: string, error: Error): void;
}

export interface Http {
  /** @throws SourceError when no endpoint gave an answer that `read` takes. */
  get<T>(path: string, read: (json: unknown) => T, signal: AbortSignal): Promise<T>;
  close(): Promise<void>;
}

const LONGEST_BACKOFF = 2_000;

/** JSON over kept-alive connections: a time-out for each try, back-off between them, and fail-over to the next endpoint. */
export function createHttp(options: HttpOptions): Http {
  const endpoints = options.endpoints.map(url => url.replace(/\/+$/, ''));
  const { timeout = 5_000, attempts = 4 * endpoints.length, backoff = 50, connections = 32 } = options;
  const dispatcher = new Agent({ connections, connect: { timeout } });
  let current = 0;

  async function once<T>(url: string, read: (json: unknown) => T, signal: AbortSignal): Promise<T> {
    const answer = await request(url, { dispatcher, signal, headersTimeout: timeout, bodyTimeout: timeout });
    if (answer.statusCode !== 200) {
      await answer.body.dump();
      throw new Error(`HTTP ${answer.statusCode}`);
    }
    return read(await answer.body.json());
  }

  return {
    async get(path, read, signal) {
      for (let attempt = 1, wait = backoff; ; attempt++, wait = Math.min(2 * wait, LONGEST_BACKOFF)) {
        const chosen = current;
        const endpoint = endpoints[chosen]!;
        try {
          return await once(endpoint + path, read, signal);
        } catch (cause) {
          signal.throwIfAborted();
          const error = cause instanceof Error ? cause : new Error(String(cause));
          if (attempt >= attempts)
            throw new SourceError(`${path}: ${error.message} (after ${attempt} tries)`, { cause });
          options.onRetry?.(endpoint, path, error);
          if (current === chosen) current = (chosen + 1) % endpoints.length;
          await sleep(wait, undefined, { signal });
        }
      }
    },
    close: () => dispatcher.destroy(),
  };
}
