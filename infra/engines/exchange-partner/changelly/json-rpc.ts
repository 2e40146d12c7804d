import { parse } from 'lossless-json';
import { Agent, request } from 'undici';
import { z } from 'zod';
import { messageOf } from '../../../../contracts/text/error-message';
import { inTime } from '../../../../contracts/retry/in-time';
import { COMPRESSED, HttpError, responseText } from '../../../../indexers/http-response';
import { isNotConnected } from '../../not-connected';
import type { Signer } from './signer';

export interface RpcOptions {
  readonly url: string;
  readonly signer: Signer;
  /** Sent as HTTP Basic, which some accounts of the partner need. */
  readonly credentials?: { readonly user: string; readonly password: string } | undefined;
  /** Of one request. */
  readonly timeoutMs: number;
  /** Decompressed; the list of all currencies has less than a mebibyte. */
  readonly maxBytes: number;
}

export interface Rpc {
  /**
   * One request, never repeated.
   * @param isolated on a connection of its own: one that is reused may be closed by the other side as the request is sent, and
   *   then nobody knows whether it arrived
   * @throws RpcRefused, RpcNotSent, RpcNoAnswer
   */
  call(method: string, params: unknown, options: CallOptions): Promise<unknown>;
  close(): Promise<void>;
}

export interface CallOptions {
  readonly signal: AbortSignal;
  readonly isolated?: boolean;
}

/** The answer is an error of JSON-RPC. */
export class RpcRefused extends Error {
  override readonly name = 'RpcRefused';
  constructor(
    readonly code: number,
    message: string,
    readonly data: unknown,
  ) {
    super(message);
  }
}

/** The partner has not executed the call. */
export class RpcNotSent extends Error {
  override readonly name = 'RpcNotSent';
  constructor(
    message: string,
    readonly retryAfterMs: number | null,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** The partner may have executed the call: there was no answer, or none that says so. */
export class RpcNoAnswer extends Error {
  override readonly name = 'RpcNoAnswer';
}

/** JSON-RPC 2.0 over HTTPS, each request signed. The HTTP status is 200 for errors of JSON-RPC too. */
export function createRpc({ url, signer, credentials, timeoutMs, maxBytes }: RpcOptions): Rpc {
  const timeouts = { connectTimeout: timeoutMs, headersTimeout: timeoutMs, bodyTimeout: timeoutMs };
  const shared = new Agent({ ...timeouts, connections: MAX_CONNECTIONS });
  const isolated = new Agent({ ...timeouts, connections: MAX_CONNECTIONS, pipelining: 0 });
  const authorization = credentials && basic(credentials);
  let calls = 0;

  async function post(
    body: Buffer,
    signature: string,
    { signal, isolated: alone }: CallOptions,
  ): Promise<string> {
    return inTime({ timeoutMs, signal }, async signal =>
      responseText(
        await request(url, {
          method: 'POST',
          dispatcher: alone ? isolated : shared,
          signal,
          headers: {
            ...COMPRESSED,
            'content-type': 'application/json',
            'x-api-key': signer.apiKey,
            'x-api-signature': signature,
            ...(authorization !== undefined && { authorization }),
          },
          body,
        }),
        maxBytes,
      ),
    );
  }

  return {
    async call(method, params, options) {
      const id = String(++calls);
      // These bytes are signed and sent.
      const body = Buffer.from(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
      const signature = await signer.sign(body);
      if (options.signal.aborted) throw new RpcNotSent(`${method}: given up before it was sent`, null);
      let text: string;
      try {
        text = await post(body, signature, options);
      } catch (error) {
        throw failureOf(method, error);
      }
      return resultOf(method, id, text);
    },
    async close() {
      await Promise.all([shared.destroy(), isolated.destroy()]);
    },
  };
}

const MAX_CONNECTIONS = 16;

const basic = ({ user, password }: NonNullable<RpcOptions['credentials']>): string =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;

/** HTTP statuses of a request that was not even looked at. */
const NOT_EXECUTED: ReadonlySet<number> = new Set([400, 401, 403, 404, 405, 413, 415, 429]);

function failureOf(method: string, error: unknown): RpcNotSent | RpcNoAnswer {
  const message = `${method}: ${messageOf(error)}`;
  if (error instanceof HttpError)
    return NOT_EXECUTED.has(error.status)
      ? new RpcNotSent(message, error.retryAfterMs, { cause: error })
      : new RpcNoAnswer(message, { cause: error });
  return isNotConnected(error)
    ? new RpcNotSent(message, null, { cause: error })
    : new RpcNoAnswer(message, { cause: error });
}

const response = z.object({
  id: z.string().nullish(),
  result: z.unknown().optional(),
  error: z
    .object({ code: z.number(), message: z.string().max(2_000), data: z.unknown().optional() })
    .nullish(),
});

/** What the specification of JSON-RPC says of a request that was not executed: section 5.1. */
const INVALID_REQUESTS: ReadonlySet<number> = new Set([-32_700, -32_600, -32_601]);

function resultOf(method: string, id: string, text: string): unknown {
  const answer = response.safeParse(jsonOf(text));
  if (!answer.success) throw new RpcNoAnswer(`${method}: what was answered is not JSON-RPC`);
  const { error, result, id: answered } = answer.data;
  // Only a request that could not be read is answered without its id (JSON-RPC 2.0, section 5).
  const isAnonymous = (answered ?? null) === null && error && INVALID_REQUESTS.has(error.code);
  if (answered !== id && !isAnonymous)
    throw new RpcNoAnswer(`${method}: the answer is that to another request`);
  if (error) throw new RpcRefused(error.code, error.message, error.data);
  if (result === undefined) throw new RpcNoAnswer(`${method}: the answer has neither a result nor an error`);
  return result;
}

/** A number as it was written, unless a JavaScript number is the same: amounts have more digits than those keep. */
function exactNumber(text: string): number | string {
  const value = Number(text);
  return Number.isSafeInteger(value) && String(value) === text ? value : text;
}

function jsonOf(text: string): unknown {
  try {
    return parse(text, undefined, exactNumber);
  } catch {
    return undefined;
  }
}
