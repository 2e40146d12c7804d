import { z } from 'zod';
import { canonicalJson } from '../canonical-json';
import type { Json, JsonObject } from '../json';
import type { Position } from '../position';
import { sha256 } from '../sha256';

/** An event as the event store returns it. */
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
 * The canonical form of an event of the ledger, in exports and in the ledger tree: RFC 8785 (JSON Canonicalization
 * Scheme) of exactly these members, without a line end.
 */
export function ledgerLine(event: LedgerEvent): string {
  const { position, stream, revision, id, type, data, metadata, created } = event;
  return canonicalJson({ position, stream, revision, id, type, data, metadata, created });
}

const ledgerEvent = z.strictObject({
  position: z.int().min(0),
  stream: z.string(),
  revision: z.int().min(0),
  id: z.string(),
  type: z.string(),
  data: z.record(z.string(), z.json()),
  metadata: z.record(z.string(), z.json()),
  created: z.string(),
});

/** The event that a value has the members of; null when it is anything else. */
export function asLedgerEvent(value: Json): LedgerEvent | null {
  return (ledgerEvent.safeParse(value).data as LedgerEvent | undefined) ?? null;
}

/** SHA-256 of the line's UTF-8 bytes: the data of the event's leaf. */
export function eventDigest(line: string | Buffer): Buffer {
  return sha256(line);
}

const DIGESTS_PREFIX = Buffer.from('{"digests":{');

/**
 * Whether a line of an export has digests (`digest-lines.ts`). Lines of events begin with `created`, so none of them starts
 * like this.
 */
export function isDigestLine(line: Buffer): boolean {
  return (
    line[2] === DIGESTS_PREFIX[2] &&
    line.length > DIGESTS_PREFIX.length &&
    line.compare(DIGESTS_PREFIX, 0, DIGESTS_PREFIX.length, 0, DIGESTS_PREFIX.length) === 0
  );
}
