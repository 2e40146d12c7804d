import { isStorableText } from '../sqlite/values';
import type { ExpectedRevision, NewEvent } from '../../../contracts/ports/event-store';

/** An append that has been checked and put into the words of the table. */
export interface Draft {
  readonly stream: string;
  readonly expected: ExpectedRevision;
  readonly events: readonly DraftEvent[];
  /** Characters that its rows take, roughly. */
  readonly size: number;
}

export interface DraftEvent {
  readonly id: string;
  readonly type: string;
  readonly data: string;
  readonly metadata: string;
}

const REST_OF_A_ROW = 100;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

const name = (what: string, text: string): string => {
  if (text === '' || !isStorableText(text))
    throw new TypeError(`${what} must be text, not empty, without U+0000 and lone surrogates`);
  return text;
};

const json = (what: string, value: unknown): string => {
  const text = JSON.stringify(value) as string | undefined;
  if (!text?.startsWith('{')) throw new TypeError(`${what} must be a JSON object`);
  return text;
};

const draftEvent = ({ id, type, data, metadata }: NewEvent): DraftEvent => {
  if (!UUID.test(id)) throw new TypeError(`event id ${id} is not a UUID in lower case`);
  return {
    id,
    type: name('event type', type),
    data: json('event data', data),
    metadata: metadata === undefined ? '{}' : json('event metadata', metadata),
  };
};

const isExpectation = (expected: ExpectedRevision): boolean =>
  typeof expected === 'number'
    ? Number.isSafeInteger(expected) && expected >= 0
    : ['no_stream', 'stream_exists', 'any'].includes(expected);

/** @throws TypeError for what no event store could keep */
export function draft(stream: string, expected: ExpectedRevision, events: readonly NewEvent[]): Draft {
  if (!isExpectation(expected)) throw new TypeError(`${expected} is not an expected revision`);
  if (events.length === 0) throw new TypeError('an append has at least one event');
  const drafts = events.map(draftEvent);
  const size = drafts.reduce(
    (sum, { data, metadata }) => sum + data.length + metadata.length + REST_OF_A_ROW,
    0,
  );
  return { stream: name('stream name', stream), expected, events: drafts, size };
}

/** A character takes up to three bytes: most appends need not be counted. */
const MOST_BYTES_A_CHARACTER = 3;

/** Whether data and metadata take more bytes than that. */
export function isLargerThan(most: number, { size, events }: Draft): boolean {
  return (
    size * MOST_BYTES_A_CHARACTER > most &&
    events.reduce(
      (sum, { data, metadata }) => sum + Buffer.byteLength(data) + Buffer.byteLength(metadata),
      0,
    ) > most
  );
}
