import { createHash } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import type { Request, Response } from 'express';
import { isImmutable } from '../../contracts/http/immutable-response';
import { JsonText } from '../../contracts/json/json-text';
import { joinedFor } from './answer-memory';
import { Attachment, type RawBody, type Reply } from './call';
import { acceptsGzip, gzipOf, gzipStream, isCompressible } from './compression';
import { headOf } from './head';
import { JsonStream } from './json-stream';

const JSON_TYPE = 'application/json; charset=utf-8';
const PROBLEM_TYPE = 'application/problem+json; charset=utf-8';
const NO_CONTENT = 204;
/** A HEAD has the head of its GET (RFC 9110, section 9.3.2). */
const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD']);

/** Sends a body as JSON, complete or streamed; a `GET` of an immutable body that the client has cached gets a 304. */
export function sendJson(request: Request, response: Response, reply: Reply<unknown>): Promise<void> | void {
  const { body, status = 200 } = reply;
  const head = headWith(response, reply);
  if (status === NO_CONTENT) return void response.writeHead(status, head).end();
  if (body instanceof Attachment) {
    const { contentType, bytes } = body;
    head.push('Content-Type', contentType);
    head.push('Content-Disposition', `attachment; filename="${body.fileName}"`);
    return end(response, status, head, bytes, negotiate(request, head, contentType, bytes), null);
  }
  const contentType = status < 400 ? JSON_TYPE : PROBLEM_TYPE;
  head.push('Content-Type', contentType);
  if (body instanceof JsonStream)
    return stream(response, status, head, body.parts(), negotiate(request, head, contentType));
  const bytes = bytesOf(response, body);
  return endImmutable(request, response, {
    status,
    head,
    contentType,
    bytes,
    source: isImmutable(body) ? body : null,
  });
}

/** What pages load is not a request of a caller: it is logged at debug. */
export function markAsset(response: Response): void {
  response.locals.isAsset = true;
}

/** Sends the bytes of a file of a page, which never changes: compressed once, and a 304 to a client that has it. */
export function sendFile(
  request: Request,
  response: Response,
  bytes: Buffer,
  contentType: string,
): Promise<void> | void {
  markAsset(response);
  const head = [...headOf(response), 'Content-Type', contentType];
  return endImmutable(request, response, { status: 200, head, contentType, bytes, source: bytes });
}

interface Sendable {
  readonly status: number;
  readonly head: string[];
  readonly contentType: string;
  readonly bytes: string | Buffer;
  /** What the bytes are of, if it is immutable; null: nothing is cached. */
  readonly source: object | null;
}

function endImmutable(
  request: Request,
  response: Response,
  { status, head, contentType, bytes, source }: Sendable,
): Promise<void> | void {
  const encoding = negotiate(request, head, contentType, bytes);
  if (source && SAFE_METHODS.has(request.method)) {
    const etag = etagOf(source, bytes, encoding);
    head.push('ETag', etag);
    if (isCachedBy(request, response, etag)) return void response.writeHead(304, head).end();
  }
  return end(response, status, head, bytes, encoding, source);
}

/** Sends bytes, complete or streamed. */
export function sendRaw(
  request: Request,
  response: Response,
  reply: Reply<RawBody>,
  contentType: string,
): Promise<void> | void {
  const { body, status = 200, headers } = reply;
  const head = headWith(response, reply);
  const type = headers['Content-Type'] ?? contentType;
  if (!('Content-Type' in headers)) head.push('Content-Type', contentType);
  if (typeof body === 'string' || body instanceof Uint8Array)
    return end(response, status, head, body, negotiate(request, head, type, body), null);
  return stream(response, status, head, body, negotiate(request, head, type));
}

type Encoding = 'gzip' | 'identity';

/** How a body is sent, also where that is told to caches. @param body absent when its length is not known */
function negotiate(
  request: Request,
  head: string[],
  contentType: string,
  body?: string | Uint8Array,
): Encoding {
  if (!isCompressible(contentType, body === undefined ? Infinity : Buffer.byteLength(body)))
    return 'identity';
  head.push('Vary', 'Accept-Encoding');
  return acceptsGzip(request) ? 'gzip' : 'identity';
}

/** The head of a response as names and values in turn, with the headers of the reply in place of equal ones. */
export function headWith(response: Response, { headers }: Reply<unknown>): string[] {
  const head = headOf(response);
  for (const [name, value] of Object.entries(headers)) {
    // Those of every response are in lower case, and can be replaced.
    const at = head.indexOf(name.toLowerCase());
    if (at < 0) head.push(name, value);
    else head[at + 1] = value;
  }
  return head;
}

/**
 * Passing the whole head to `writeHead`, with no header set before, is the fastest way in Node.
 * @param source what the bytes are of, if it is immutable
 */
function end(
  response: Response,
  status: number,
  head: readonly string[],
  body: string | Uint8Array,
  encoding: Encoding,
  source: object | null,
): Promise<void> | void {
  if (encoding === 'identity') return endWith(response, status, head, body);
  return gzipOf(body, source).then(bytes =>
    endWith(response, status, [...head, 'Content-Encoding', encoding], bytes),
  );
}

function endWith(
  response: Response,
  status: number,
  head: readonly string[],
  body: string | Uint8Array,
): void {
  response.writeHead(status, [...head, 'Content-Length', String(Buffer.byteLength(body))]).end(body);
}

/** With backpressure. When either side fails, both end. */
async function stream(
  response: Response,
  status: number,
  head: readonly string[],
  parts: AsyncIterable<string | Uint8Array>,
  encoding: Encoding,
): Promise<void> {
  const isCompressed = encoding === 'gzip';
  response.writeHead(status, isCompressed ? [...head, 'Content-Encoding', encoding] : [...head]);
  const sent = isCompressed ? pipeline(parts, gzipStream(), response) : pipeline(parts, response);
  await sent.catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
  });
}

/** Of immutable bodies; an entry is collected with its body. */
const serialised = new WeakMap<object, Buffer>();
const etags = new WeakMap<object, string>();
/** Of texts in parts: as one they take their memory once more, which most of them are not sent often enough for. */
const sentBefore = new WeakSet<object>();

/** The JSON of a body. That of an immutable one is made once. */
function bytesOf(response: Response, body: unknown): string | Buffer {
  if (body instanceof JsonText) {
    if (body.parts.length === 1 || sentBefore.has(body)) return body.bytes;
    sentBefore.add(body);
    return joinedFor(response, body.parts);
  }
  if (!isImmutable(body)) return JSON.stringify(body);
  const found = serialised.get(body);
  if (found) return found;
  const made = Buffer.from(JSON.stringify(body));
  serialised.set(body, made);
  return made;
}

/** Strong validator of the bytes as they are sent: each encoding has its own (RFC 9110, section 8.8.3). */
function etagOf(body: object, bytes: string | Buffer, encoding: Encoding): string {
  const digest = etags.get(body) ?? createHash('sha256').update(bytes).digest('base64url');
  etags.set(body, digest);
  return encoding === 'identity' ? `"${digest}"` : `"${digest}-${encoding}"`;
}

/** `request.fresh` compares with the ETag header that is set on the response. */
function isCachedBy(request: Request, response: Response, etag: string): boolean {
  if (request.headers['if-none-match'] === undefined) return false;
  response.setHeader('ETag', etag);
  return request.fresh;
}
