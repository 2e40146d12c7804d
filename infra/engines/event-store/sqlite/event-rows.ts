import type { JsonObject } from '../../../../contracts/json';
import type { RecordedEvent } from '../../../../contracts/ports/event-store';

/** The columns of a recorded event, from `events AS e` joined with `streams AS s`. */
export const COLUMNS = 'e.position, s.name, e.revision, e.id, e.type, e.data, e.metadata, e.created';

export type EventRow = [
  position: number,
  stream: string,
  revision: number,
  id: string,
  type: string,
  data: string,
  metadata: string,
  created: number,
];

/** Characters of JSON in a row. */
export function contentLength(row: EventRow): number {
  return row[5].length + row[6].length;
}

/** Rows of one group commit share their time, so that it is formatted once. */
export function toEvents(rows: readonly EventRow[]): RecordedEvent[] {
  let time = NaN;
  let created = '';
  return rows.map(([position, stream, revision, id, type, data, metadata, milliseconds]) => {
    if (milliseconds !== time) created = new Date((time = milliseconds)).toISOString();
    return {
      id,
      type,
      data: JSON.parse(data) as JsonObject,
      metadata: JSON.parse(metadata) as JsonObject,
      stream,
      revision,
      position,
      created,
    };
  });
}
