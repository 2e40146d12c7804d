import { Transform, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Request, Response } from 'express';
import { request as send, type Dispatcher } from 'undici';
import { Problem } from '../../contracts/problem/problem';
import type { Reply } from './call';
import { headOf } from './head';
import type { IncomingCall } from './incoming-call';

/** Where a request is forwarded to. */
export interface ProxyTarget {
  readonly url: string | URL;
  /** Added to the client's headers; one of the same name replaces the client's. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Replaces the client's body; required for an endpoint with a body schema, which has consumed it. */
  readonly body?: string | Uint8Array;
}

/** Maximum time until the head of the response, and between two parts of its body. */
const UPSTREAM_TIMEOUT_MS = 30_000;

/** Seconds. */
const RETRY_AFTER_S = 2;

/** Hop-by-hop headers (RFC 9110, section 7.6.1), and credentials and proxies of the client. */
const DROPPED_REQUEST_HEADERS = new Set([
  ...['connection', 'keep-alive', 'proxy-authenticate', 'proxy-authorization', 'te', 'trailer'],
  ...['transfer-encoding', 'upgrade', 'expect', 'host', 'authorization', 'cookie', 'forwarded'],
]);
const DROPPED_RESPONSE_HEADERS = new Set([
  ...['connection', 'keep-alive', 'proxy-authenticate', 'trailer', 'transfer-encoding', 'upgrade'],
  'set-cookie',
]);

/**
 * Forwards a request and streams the response back, both with backpressure. The client's credentials
 * are not forwarded. Ends the upstream request when the client disconnects.
 * @throws Problem 413 `body_too_large`, 502 `upstream_unavailable`
 */
export async function forward(
  request: Request,
  response: Response,
  { body: target }: Reply<ProxyTarget>,
  call: IncomingCall,
  bodyLimit: number,
): Promise<void> {
  const { signal } = call;
  const upstream = await upstreamResponse(request, target, signal, bodyLimit);
  if (!upstream) return;
  const head = headOf(response);
  const own = new Set(head.filter((_, index) => index % 2 === 0).map(name => name.toLowerCase()));
  for (const [name, value] of Object.entries(upstream.headers))
    if (value !== undefined && !DROPPED_RESPONSE_HEADERS.has(name) && !own.has(name))
      for (const each of [value].flat()) head.push(name, each);
  response.writeHead(upstream.statusCode, head);
  await pipeline(upstream.body, response).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
}

/** Null when the client has disconnected. */
async function upstreamResponse(
  request: Request,
  { url, headers, body }: ProxyTarget,
  signal: AbortSignal,
  bodyLimit: number,
): Promise<Dispatcher.ResponseData | null> {
  try {
    return await send(url, {
      method: request.method as Dispatcher.HttpMethod,
      headers: { ...forwardedHeaders(request, body !== undefined), ...headers },
      body: body ?? bodyOf(request, bodyLimit),
      signal,
      headersTimeout: UPSTREAM_TIMEOUT_MS,
      bodyTimeout: UPSTREAM_TIMEOUT_MS,
    });
  } catch (error) {
    if (signal.aborted) return null;
    if (error instanceof Problem) throw error;
    throw new Problem('upstream_unavailable', 'The server behind this path does not answer; try again.', {
      retryAfter: RETRY_AFTER_S,
    });
  }
}

function forwardedHeaders({ headers }: Request, replaced: boolean): Record<string, string | string[]> {
  const listed =
    headers.connection
      ?.toLowerCase()
      .split(',')
      .map(name => name.trim()) ?? [];
  const dropped = (name: string): boolean =>
    DROPPED_REQUEST_HEADERS.has(name) || listed.includes(name) || (replaced && name === 'content-length');
  return Object.fromEntries(
    Object.entries(headers).filter(
      (header): header is [string, string | string[]] => header[1] !== undefined && !dropped(header[0]),
    ),
  );
}

function bodyOf(request: Request, limit: number): Readable | null {
  const length = request.headers['content-length'];
  if (length === undefined && request.headers['transfer-encoding'] === undefined) return null;
  const tooLarge = (): Problem =>
    new Problem('body_too_large', 'The body is larger than this endpoint accepts.');
  if (Number(length) > limit) throw tooLarge();
  let bytes = 0;
  const counter = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      if (bytes > limit) done(tooLarge());
      else done(null, chunk);
    },
  });
  return request.pipe(counter);
}
