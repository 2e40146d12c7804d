import { pipeline, type Readable, type Transform } from 'node:stream';
import { createBrotliDecompress, createUnzip } from 'node:zlib';
import { messageOf } from '../contracts/text/error-message';

/** Sent with every request to a source: blocks and histories compress to a fifth. */
export const COMPRESSED = { 'accept-encoding': 'gzip, deflate, br' } as const;

/** Decompressed bytes of one response; the largest, a full block of Solana, has about 10 MB. */
export const MAX_RESPONSE_BYTES = 64 * 1024 * 1024;

/** The longest pause that a source can ask for by `Retry-After`, so that it cannot stop its reader for good. */
export const MAX_RETRY_AFTER_MS = 10_000;

/** A response with another status than 200. */
export class HttpError extends Error {
  override readonly name = 'HttpError';
  constructor(
    readonly status: number,
    /** For how long the source asks not to be called; null when it does not ask. */
    readonly retryAfterMs: number | null = null,
  ) {
    super(`HTTP ${status}`);
  }
}

/** Of a header in seconds or as a date (RFC 9110, 10.2.3), bounded; null when it is absent or neither. */
export function retryAfterMs(header: unknown, now = Date.now()): number | null {
  if (typeof header !== 'string' || header.trim() === '') return null;
  // `Date.parse` takes much for a date that is none, such as `-5`.
  const date = /^[A-Z][a-z]{2}, /.test(header) ? Date.parse(header) : NaN;
  const ms = /^\d+$/.test(header.trim()) ? Number(header) * 1_000 : date - now;
  return Number.isNaN(ms) ? null : Math.min(Math.max(ms, 0), MAX_RETRY_AFTER_MS);
}

/** A response that is larger than its reader takes. What is asked for is so large: its server may answer all else. */
export class ResponseTooLarge extends Error {
  override readonly name = 'ResponseTooLarge';
  constructor(maxBytes: number) {
    super(`the response has more than ${maxBytes} bytes`);
  }
}

/** What the `request` of undici resolves to, which does not decompress. */
export interface HttpResponse {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Readable & { dump(): Promise<void> };
}

/** The text of a response, as `responseBytes`. */
export async function responseText(response: HttpResponse, maxBytes = MAX_RESPONSE_BYTES): Promise<string> {
  return (await responseBytes(response, maxBytes)).toString('utf8');
}

/**
 * The decompressed body of a response with status 200. `maxBytes` bounds it, and the body as it was sent.
 * @throws HttpError for another status; ResponseTooLarge; Error when the body is truncated, or not compressed as it says
 */
export async function responseBytes(
  { statusCode, headers, body }: HttpResponse,
  maxBytes: number,
): Promise<Buffer> {
  if (statusCode !== 200) {
    await body.dump();
    throw new HttpError(statusCode, retryAfterMs(headers['retry-after']));
  }
  const encoding = String(headers['content-encoding'] ?? 'identity').toLowerCase();
  const decoder = DECODERS.get(encoding);
  if (decoder === undefined) {
    await body.dump();
    throw new Error('the response has an unknown encoding');
  }
  const chunks: Buffer[] = [];
  let bytes = 0;
  // An error of the body ends the decoder with it, which this loop sees.
  const decoded = decoder ? pipeline(body, atMost(maxBytes), decoder(), () => undefined) : body;
  try {
    for await (const chunk of decoded as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > maxBytes) throw new ResponseTooLarge(maxBytes);
      chunks.push(chunk);
    }
  } catch (error) {
    if (error instanceof ResponseTooLarge) throw error;
    throw new Error(`the response cannot be read: ${messageOf(error)}`, { cause: error });
  }
  return Buffer.concat(chunks, bytes);
}

/** Compressed bytes too: an endless stream may decompress to nothing. */
const atMost = (maxBytes: number) =>
  async function* (chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    let bytes = 0;
    for await (const chunk of chunks) {
      bytes += chunk.length;
      if (bytes > maxBytes) throw new ResponseTooLarge(maxBytes);
      yield chunk;
    }
  };

const CHUNK = { chunkSize: 64 * 1024 };
const unzip = (): Transform => createUnzip(CHUNK);

/** By the names of HTTP (RFC 9110, 8.4.1); null where there is nothing to decode. */
const DECODERS: ReadonlyMap<string, (() => Transform) | null> = new Map([
  ['identity', null],
  ['gzip', unzip],
  ['x-gzip', unzip],
  ['deflate', unzip],
  ['br', () => createBrotliDecompress(CHUNK)],
]);
