import { request, type Dispatcher } from 'undici';
import { COMPRESSED, responseText } from '../../../indexers/http-response';
import { readJson } from '../../../contracts/json/read-json';
import { withoutTrailingSlashes } from '../../../contracts/url/trailing-slashes';

/** One server of the HTTP API v4. Redirects are not followed. */
export interface V4Node {
  readonly url: string;
  /** The JSON of an answer. @throws HttpError for another status than 200; Error when it cannot be read */
  get(path: string): Promise<unknown>;
  post(path: string, body: object): Promise<unknown>;
}

export interface V4NodeOptions {
  readonly url: string;
  readonly dispatcher: Dispatcher;
  /** For one answer. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** Of one answer: a block of mainnet with its transactions has about 100 KB, an account less. Anybody can deploy one with 8 MB. */
export const MAX_RPC_ANSWER_BYTES = 2 * 1024 * 1024;

export function openV4Node({ url: given, dispatcher, timeoutMs, signal }: V4NodeOptions): V4Node {
  const url = withoutTrailingSlashes(given);

  /** The time is that of the whole answer: undici's own limits are of its head, and between two parts of its body. */
  async function call(path: string, options: Parameters<typeof request>[1]): Promise<unknown> {
    const ending = new AbortController();
    const end = (): void => ending.abort();
    const timer = setTimeout(
      () => ending.abort(new DOMException(`no answer within ${timeoutMs} ms`, 'TimeoutError')),
      timeoutMs,
    );
    signal.addEventListener('abort', end, { once: true });
    try {
      const response = await request(url + path, { dispatcher, signal: ending.signal, ...options });
      return readJson(await responseText(response, MAX_RPC_ANSWER_BYTES));
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
    }
  }

  return {
    url,
    get: path => call(path, { headers: COMPRESSED }),
    post: (path, body) =>
      call(path, {
        method: 'POST',
        body: JSON.stringify(body),
        headers: { ...COMPRESSED, 'content-type': 'application/json' },
      }),
  };
}
