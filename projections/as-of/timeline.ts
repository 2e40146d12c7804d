import { LEDGER_CATEGORIES } from '../../contracts/events/ledger';
import { BEGINNING, type Position } from '../../contracts/position';
import type { EventStore, RecordedEvent } from '../../contracts/ports/event-store';
import type { Moment } from './port';

/** Where the ledger stood after one of its events. */
export interface Mark {
  readonly position: Position;
  /** The event at the position; null before the first one. */
  readonly event: Pick<RecordedEvent, 'stream' | 'revision' | 'id'> | null;
  /** The latest time at which an event up to there was recorded; empty before the first one. */
  readonly latest: string;
}

/** Finds places in the ledger, and remembers marks on the way, so that the next search near by is short. */
export interface Timeline {
  /** As `search`, from the nearest mark that is remembered. */
  find(moment: Moment, most: number, signal?: AbortSignal): Promise<Mark | null>;
  /** The last mark that is remembered and in the ledger as of the moment. */
  nearest(moment: Moment): Mark;
  /** Notes a mark that somebody else knows of. */
  note(mark: Mark): void;
}

/** Events between two marks that are remembered: a search near one reads no more than these, in some milliseconds. */
export const STRIDE = 500;

/** Before anything was recorded. */
export const FIRST: Mark = { position: BEGINNING, event: null, latest: '' };

interface Searching {
  readonly signal?: AbortSignal | undefined;
  /** Hears of marks on the way. */
  readonly onMark: (mark: Mark) => void;
}

/**
 * The last event of the ledger that is in it as of the moment, read for from a mark that is in it. Null when more than
 * `most` events would have to be read to tell.
 *
 * Reads forwards from events it has met before, and from nowhere else: in some stores a place between two events is no
 * place to read from, and the times of events need not be in order, so that halving the distance would prove nothing.
 * @throws the reason of the signal
 */
export async function search(
  store: Pick<EventStore, 'readAll'>,
  from: Mark,
  moment: Moment,
  most: number,
  { signal, onMark }: Searching,
): Promise<Mark | null> {
  const isIn = inclusion(moment);
  let mark = from;
  let read = 0;
  const pages = store.readAll({ after: mark.position, categories: LEDGER_CATEGORIES, limit: most + 1 });
  for await (const events of pages) {
    signal?.throwIfAborted();
    for (const { position, created, stream, revision, id } of events) {
      const latest = created > mark.latest ? created : mark.latest;
      const next = { position, event: { stream, revision, id }, latest };
      if (!isIn(next)) return mark;
      if (read === most) return null;
      mark = next;
      if (++read % STRIDE === 0) onMark(mark);
    }
  }
  return mark;
}

export function createTimeline(store: Pick<EventStore, 'readAll'>): Timeline {
  /** By position; `latest` grows with it. */
  const marks: Mark[] = [FIRST];

  const note = (mark: Mark): void => {
    const at = lastThat(marks, ({ position }) => position <= mark.position);
    if (marks[at]!.position < mark.position) marks.splice(at + 1, 0, mark);
  };
  const nearest = (moment: Moment): Mark => marks[lastThat(marks, inclusion(moment))]!;

  return {
    note,
    nearest,
    find: (moment, most, signal) => search(store, nearest(moment), moment, most, { signal, onMark: note }),
  };
}

/** Instants are written in one way, whose order as text is that of time. */
const inclusion =
  ({ position = Infinity, instant }: Moment): ((mark: Mark) => boolean) =>
  mark =>
    mark.position <= position && (instant === undefined || mark.latest <= instant);

/** Index of the last mark of which it holds, where it holds of the first and of none behind one of which it does not. */
function lastThat(marks: readonly Mark[], holds: (mark: Mark) => boolean): number {
  let [low, high] = [0, marks.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (holds(marks[middle]!)) low = middle;
    else high = middle - 1;
  }
  return low;
}
