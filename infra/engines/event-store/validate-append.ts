import { isStorableText } from '../sqlite/bind-values';
import {
  AppendTooLarge,
  MAX_APPEND_BYTES,
  type ExpectedRevision,
  type NewEvent,
} from '../../../contracts/ports/event-store';

/** An append that has been checked, with its JSON serialized. */
export interface ValidatedAppend {
  readonly stream: string;
  readonly expected: ExpectedRevision;
  readonly events: readonly ValidatedEvent[];
  /** Approximate characters of its rows. */
  readonly size: number;
}

export interface ValidatedEvent {
  readonly id: string;
  readonly type: string;
  readonly data: string;
  readonly metadata: string;
}

const ROW_OVERHEAD = 100;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

const name = (what: string, text: string): string => {
  if (text === '' || !isStorableText(text))
    throw new TypeError(`${what} must be non-empty text without U+0000 and lone surrogates`);
  return text;
};

const json = (what: string, value: unknown): string => {
  const text = JSON.stringify(value) as string | undefined;
  if (!text?.startsWith('{')) throw new TypeError(`${what} must be a JSON object`);
  return text;
};

const validateEvent = ({ id, type, data, metadata }: NewEvent): ValidatedEvent => {
  if (!UUID.test(id)) throw new TypeError(`event id ${id} is not a lower-case UUID`);
  return {
    id,
    type: name('event type', type),
    data: json('event data', data),
    metadata: metadata === undefined ? '{}' : json('event metadata', metadata),
  };
};

const isExpectedRevision = (expected: ExpectedRevision): boolean =>
  typeof expected === 'number'
    ? Number.isSafeInteger(expected) && expected >= 0
    : ['no_stream', 'stream_exists', 'any'].includes(expected);

/** @throws TypeError for what no event store can store */
export function validateAppend(
  stream: string,
  expected: ExpectedRevision,
  events: readonly NewEvent[],
): ValidatedAppend {
  if (!isExpectedRevision(expected)) throw new TypeError(`${expected} is not an expected revision`);
  if (events.length === 0) throw new TypeError('an append needs at least one event');
  const validated = events.map(validateEvent);
  const size = validated.reduce(
    (sum, { data, metadata }) => sum + data.length + metadata.length + ROW_OVERHEAD,
    0,
  );
  return { stream: name('stream name', stream), expected, events: validated, size };
}

/** What every event store accepts. @throws TypeError for what none can store, AppendTooLarge */
export function acceptAppend(
  stream: string,
  expected: ExpectedRevision,
  events: readonly NewEvent[],
): ValidatedAppend {
  const append = validateAppend(stream, expected, events);
  if (isTooLarge(append)) throw new AppendTooLarge(stream);
  return append;
}

/** In UTF-8: the bytes of most appends need not be counted. */
const MAX_BYTES_PER_CHARACTER = 3;

function isTooLarge({ size, events }: ValidatedAppend): boolean {
  return (
    size * MAX_BYTES_PER_CHARACTER > MAX_APPEND_BYTES &&
    events.reduce(
      (sum, { data, metadata }) => sum + Buffer.byteLength(data) + Buffer.byteLength(metadata),
      0,
    ) > MAX_APPEND_BYTES
  );
}
