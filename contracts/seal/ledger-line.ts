import { canonicalJson } from '../canonical-json';
import type { JsonObject } from '../json';
import type { Position } from '../position';
import { sha256, sha256Into } from './sha256';

/** An event as the store tells it. */
export interface LedgerEvent {
  readonly position: Position;
  readonly stream: string;
  readonly revision: number;
  readonly id: string;
  readonly type: string;
  readonly data: JsonObject;
  readonly metadata: JsonObject;
  /** RFC 3339 UTC instant with milliseconds. */
  readonly created: string;
}

/**
 * The one way an event of the ledger is written, in an export and under the seal: RFC 8785 (JSON Canonicalization
 * Scheme) of exactly these members, without a line end.
 */
export function ledgerLine(event: LedgerEvent): string {
  const { position, stream, revision, id, type, data, metadata, created } = event;
  return canonicalJson({ position, stream, revision, id, type, data, metadata, created });
}

/** SHA-256 of the line's UTF-8 bytes: the leaf of the event. */
export function leafDigest(line: string | Buffer): Buffer {
  return sha256(line);
}

/** As `leafDigest`, into a buffer that is there. */
export function leafDigestInto(target: Buffer, line: string | Buffer): void {
  return sha256Into(target, 0, line);
}
