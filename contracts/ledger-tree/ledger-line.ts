import { z } from 'zod';
import { canonicalJson } from '../json/canonical-json';
import { LEDGER_CATEGORIES } from '../events/ledger';
import { INSTANT_FORM } from '../time/instant';
import type { Json, JsonObject } from '../json/json';
import type { Position } from '../position';
import { sha256 } from '../encoding/sha256';

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

/** Its members are not copied: a ledger has millions of events. */
const object = z.custom<JsonObject>(
  value => typeof value === 'object' && value !== null && !Array.isArray(value),
);

// Of millions of events: one pattern, since categoryOf makes two objects of each.
const STREAM = new RegExp(`^(?:${LEDGER_CATEGORIES.join('|')})-`);

const ledgerEvent = z.strictObject({
  position: z.int().min(0),
  stream: z.string().regex(STREAM),
  revision: z.int().min(0),
  id: z.guid(),
  type: z.string(),
  data: object,
  metadata: object.refine(({ v }) => Number.isSafeInteger(v) && (v as number) >= 0),
  created: z.string().regex(INSTANT_FORM),
});

/** The value as an event of the ledger, with all members and no others; null when it is anything else. */
export function asLedgerEvent(value: Json): LedgerEvent | null {
  return ledgerEvent.safeParse(value).success ? (value as unknown as LedgerEvent) : null;
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
