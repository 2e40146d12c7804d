import { crc32 } from 'node:zlib';
import { DamagedData } from '../../../../contracts/engine/damaged-data';
import type { JsonObject } from '../../../../contracts/json/json';
import { textOf } from '../../sqlite/checksum';
import type { RecordedEvent } from '../../../../contracts/ports/event-store';
import type { Position } from '../../../../contracts/position';
import { readJson } from '../../../../contracts/json/read-json';

/** Texts of an event contain no U+0000. */
const SEPARATOR = '\0';
const TEXTS = ['s.name', 'e.id', 'e.type', 'e.data', 'e.metadata'] as const;

/**
 * The columns of a recorded event, from `events AS e` joined with `streams AS s`. All its texts are one value, as bytes:
 * libsql would abort the process on a text that is not UTF-8.
 */
export const COLUMNS = `e.position, e.revision, e.created, e.checksum,
  CAST(concat_ws(char(0), ${TEXTS.join()}) AS BLOB)`;

export type EventRow = [
  position: number,
  revision: number,
  created: number,
  checksum: number,
  texts: Buffer | null,
];

/** CRC-32 of everything that is read of an event. @param texts in the order of the columns */
export function checksumOf(
  position: number,
  revision: number,
  created: number,
  texts: readonly string[] | Buffer,
): number {
  const content = Array.isArray(texts) ? texts.join(SEPARATOR) : (texts as Buffer);
  // A change of one of the numbers is a change of the initial value, and so of the checksum.
  const seed = fold32(position) ^ Math.imul(fold32(revision), 0x9e3779b1) ^ fold32(created);
  return crc32(content, seed >>> 0);
}

const fold32 = (integer: number): number => (integer | 0) ^ ((integer / 2 ** 32) | 0);

/** Bytes of text in a row. */
export function contentLength([, , , , texts]: EventRow): number {
  return texts?.length ?? 0;
}

/** The events of a page up to the first damaged one. */
export interface DecodedPage {
  readonly events: RecordedEvent[];
  readonly damaged: DamagedData | null;
}

/** Rows of one group commit share their time, so that it is formatted once. */
export function toEvents(rows: readonly EventRow[]): DecodedPage {
  const events: RecordedEvent[] = [];
  let time = NaN;
  let created = '';
  for (const [position, revision, milliseconds, checksum, texts] of rows) {
    if (!texts || checksumOf(position, revision, milliseconds, texts) !== checksum)
      return { events, damaged: damagedEvent(position) };
    if (milliseconds !== time) created = new Date((time = milliseconds)).toISOString();
    const [stream, id, type, data, metadata] = textOf(texts).split(SEPARATOR) as [
      string,
      string,
      string,
      string,
      string,
    ];
    events.push({
      id,
      type,
      data: readJson(data) as JsonObject,
      metadata: readJson(metadata) as JsonObject,
      stream,
      revision,
      position,
      created,
    });
  }
  return { events, damaged: null };
}

export function damagedEvent(position: Position): DamagedData {
  return new DamagedData('event store', `position ${position}`, position);
}
