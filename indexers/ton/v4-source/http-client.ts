import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { backoffMs } from '../../../contracts/retry/backoff';
import { messageOf } from '../../../contracts/text/error-message';
import type { NetworkIdentity, VerifiedSources } from '../../../contracts/network/network-identity';
import {
  createSourceVerifier,
  unreadable,
  UNVERIFIED,
  type SourceVerifier,
} from '../../../contracts/source-verifier';
import { WrongNetwork } from '../../../contracts/network/wrong-network';
import { COMPRESSED, HttpError, responseText } from '../../http-response';
import { SourceError } from '../source';
import { zerostateOf } from './zerostate';
import { readJson } from '../../../contracts/json/read-json';
import { withoutTrailingSlashes } from '../../../contracts/url/trailing-slashes';

export interface HttpClientOptions {
  /** Base URLs of servers of one network; when one fails the next is used. */
  readonly endpoints: readonly string[];
  /** What each of them must be; default: they are not asked. */
  readonly identity?: NetworkIdentity;
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

/**
 * How it is known that a response is of the right network. `asked`: by asking the endpoint before and after. `answer`: the
 * response is that of `/block/latest`, which names it. `hash`: it was asked for by a hash.
 */
type Proof = 'asked' | 'answer' | 'hash';

export interface HttpClient extends VerifiedSources {
  /**
   * @param proof default: `asked`
   * @throws WrongNetwork; SourceError when no endpoint gave a response that `parse` accepts
   */
  get<T>(path: string, parse: (json: unknown) => T, signal: AbortSignal, proof?: Proof): Promise<T>;
  /** Asks an endpoint that was connected to again. */
  onConnected(endpoint: number): void;
  close(): Promise<void>;
}

const MAX_RETRY_MS = 2_000;

/** JSON over keep-alive connections: a timeout for each attempt, back-off between them, failover to the next endpoint. */
export function createHttpClient(options: HttpClientOptions): HttpClient {
  const { timeoutMs = 5_000, retryMs = 50, connections = 32, identity } = options;
  const dispatcher = new Agent({ connections, connect: { timeout: timeoutMs } });
  const closing = new AbortController();
  const endpoints = options.endpoints.map(given => {
    const url = withoutTrailingSlashes(given);
    return { url, verifier: identity ? verifierOf(url, identity) : UNVERIFIED };
  });
  const { maxAttempts = 4 * endpoints.length } = options;
  let current = 0;

  async function read(url: string, signal: AbortSignal): Promise<unknown> {
    // One for each request in flight.
    setMaxListeners(0, signal);
    const timeouts = { headersTimeout: timeoutMs, bodyTimeout: timeoutMs };
    const response = await request(url, { dispatcher, signal, headers: COMPRESSED, ...timeouts });
    return readJson(await responseText(response));
  }

  function verifierOf(url: string, { check }: NetworkIdentity): SourceVerifier {
    return createSourceVerifier({
      ask: async () => zerostateOf(await read(`${url}/block/latest`, closing.signal)),
      check: found => check(url, found),
    });
  }

  async function attempt<T>(
    { url, verifier }: (typeof endpoints)[number],
    path: string,
    parse: (json: unknown) => T,
    signal: AbortSignal,
    proof: Proof,
  ): Promise<T> {
    const call = async (): Promise<T> => parse(await read(url + path, signal));
    if (proof === 'asked') return verifier.verified(call);
    if (proof === 'hash') return verifier.unproven(call);
    const json = await read(url + path, signal);
    const value = parse(json);
    if (identity) await verifier.check(zerostateOf(json));
    return value;
  }

  const verify = ({ verifier }: (typeof endpoints)[number]): Promise<void> =>
    // What is wrong is known to the identity; an endpoint that does not answer is asked before its next call.
    verifier.verify().catch(() => undefined);

  return {
    async get(path, parse, signal, proof = 'asked') {
      for (let attempts = 1; ; attempts++) {
        const used = current;
        const endpoint = endpoints[used]!;
        try {
          return await attempt(endpoint, path, parse, signal, proof);
        } catch (error) {
          signal.throwIfAborted();
          if (attempts >= maxAttempts)
            throw error instanceof WrongNetwork
              ? error
              : new SourceError(`${path}: ${messageOf(error)} (after ${attempts} attempts)`, {
                  cause: error,
                });
          options.onRetry?.(endpoint.url, path, error);
          if (current === used) current = (used + 1) % endpoints.length;
          const askedMs = error instanceof HttpError ? (error.retryAfterMs ?? 0) : 0;
          const waitMs = backoffMs(attempts - 1, retryMs, MAX_RETRY_MS);
          // Another endpoint has not asked for a pause.
          const pauseMs = endpoints.length === 1 ? Math.max(waitMs, askedMs) : waitMs;
          await sleep(pauseMs, undefined, { signal });
        }
      }
    },
    onConnected: index => void verify(endpoints[index]!),
    verifySources: async () => void (await Promise.all(endpoints.map(verify))),
    unreadableSources: () => unreadable(endpoints),
    close() {
      closing.abort();
      return dispatcher.destroy();
    },
  };
}
