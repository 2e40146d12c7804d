import { promisify } from 'node:util';
import { createGzip, gzip, type Gzip } from 'node:zlib';
import type { Request } from 'express';

/**
 * Answers are compressed for clients that ask for it. Our own and not the package `compression`, which compresses the same
 * bytes for each client again: those of an immutable answer are compressed once, and kept with it.
 *
 * A length that depends on a secret and on what an attacker chooses tells the secret to who sees it (BREACH). Nobody can make
 * a browser send such requests here: no cookies are used, and tokens of access are sent by those who know them, and are in no
 * answer.
 */

/** Smaller ones gain nothing: they are one packet either way. */
const MIN_BYTES = 1_024;
/** Of a page of history half the time of the default level, and one percent more bytes. */
const OPTIONS = { level: 4, memLevel: 7 };
const COMPRESSIBLE = /^(?:text\/|application\/(?:[\w.]+\+)?json\b|image\/svg)/;

const compress = promisify<Uint8Array | string, typeof OPTIONS, Buffer>(gzip);

export function isCompressible(contentType: string, bytes: number): boolean {
  return bytes >= MIN_BYTES && COMPRESSIBLE.test(contentType);
}

/** The preferences of clients (RFC 9110, section 12.5.3) by their text; few texts are in use. */
const preferences = new Map<string, boolean>();
const MAX_PREFERENCES = 100;

export function acceptsGzip(request: Request): boolean {
  const text = request.headers['accept-encoding'];
  if (typeof text !== 'string') return false;
  const known = preferences.get(text);
  if (known !== undefined) return known;
  const accepts = request.acceptsEncodings('gzip', 'identity') === 'gzip';
  if (preferences.size < MAX_PREFERENCES) preferences.set(text, accepts);
  return accepts;
}

/** Of immutable bodies; an entry is collected with its body. */
const compressed = new WeakMap<object, Promise<Buffer>>();

/** @param source what the bytes are of, if it is immutable: then they are compressed once */
export function gzipOf(bytes: Uint8Array | string, source: object | null): Promise<Buffer> {
  const known = source && compressed.get(source);
  if (known) return known;
  const made = compress(bytes, OPTIONS);
  if (source) {
    compressed.set(source, made);
    made.catch(() => compressed.delete(source));
  }
  return made;
}

export function gzipStream(): Gzip {
  return createGzip(OPTIONS);
}
