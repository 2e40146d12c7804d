import { LEDGER_CATEGORIES } from '../../contracts/events/ledger';
import { BEGINNING, type Position } from '../../contracts/position';
import type { EventStore, RecordedEvent } from '../../contracts/ports/event-store';
import type { Moment } from './port';

/** A state of the ledger, after one of its events. */
export interface Mark {
  readonly position: Position;
  /** The event at the position; null before the first one. */
  readonly event: Pick<RecordedEvent, 'stream' | 'revision' | 'id'> | null;
  /** The latest time of recording of any event up to the position; empty before the first one. */
  readonly latest: string;
}

/** Finds marks in the ledger, and caches some on the way, so that a later search nearby is short. */
export interface Timeline {
  /** As `search`, from the nearest cached mark. */
  find(moment: Moment, maxEvents: number, signal?: AbortSignal): Promise<Mark | null>;
  /** The last cached mark that is in the ledger as of the moment. */
  nearest(moment: Moment): Mark;
  /** Caches a mark that was found elsewhere. */
  remember(mark: Mark): void;
}

/** Events between two cached marks; reading that many takes a few milliseconds. */
export const STRIDE = 500;

/** Before the first event. */
export const FIRST: Mark = { position: BEGINNING, event: null, latest: '' };

interface Searching {
  readonly signal?: AbortSignal | undefined;
  /** Of the events that count; default: those of the ledger. */
  readonly categories?: readonly string[];
  /** Called with marks on the way. */
  readonly onMark?: (mark: Mark) => void;
}

/**
 * The last event of the ledger as of the moment, searched from an earlier mark. Null when that would read more than
 * `maxEvents` events.
 *
 * Reads forwards, from known events only: some stores cannot read from a position between two events, and the times of
 * events need not be in order, so that a binary search would be wrong.
 * @throws the reason of the signal
 */
export async function search(
  store: Pick<EventStore, 'readAll'>,
  from: Mark,
  moment: Moment,
  maxEvents: number,
  { signal, categories = LEDGER_CATEGORIES, onMark }: Searching,
): Promise<Mark | null> {
  const isIn = inclusion(moment);
  let mark = from;
  let read = 0;
  const pages = store.readAll({ after: mark.position, categories, limit: maxEvents + 1 });
  for await (const events of pages) {
    signal?.throwIfAborted();
    for (const { position, created, stream, revision, id } of events) {
      const latest = created > mark.latest ? created : mark.latest;
      const next = { position, event: { stream, revision, id }, latest };
      if (!isIn(next)) return mark;
      if (read === maxEvents) return null;
      mark = next;
      if (++read % STRIDE === 0) onMark?.(mark);
    }
  }
  return mark;
}

export function createTimeline(store: Pick<EventStore, 'readAll'>): Timeline {
  /** In order of position; `latest` never decreases. */
  const marks: Mark[] = [FIRST];

  const note = (mark: Mark): void => {
    const at = lastIndexWhere(marks, ({ position }) => position <= mark.position);
    if (marks[at]!.position < mark.position) marks.splice(at + 1, 0, mark);
  };
  const nearest = (moment: Moment): Mark => marks[lastIndexWhere(marks, inclusion(moment))]!;

  return {
    remember: note,
    nearest,
    find: (moment, maxEvents, signal) =>
      search(store, nearest(moment), moment, maxEvents, { signal, onMark: note }),
  };
}

/** Instants have one format, whose text order is chronological. */
const inclusion =
  ({ position = Infinity, instant }: Moment): ((mark: Mark) => boolean) =>
  mark =>
    mark.position <= position && (instant === undefined || mark.latest <= instant);

/** Binary search for the last mark for which `holds`. It must hold for the first, and for none after one where it does not. */
function lastIndexWhere(marks: readonly Mark[], holds: (mark: Mark) => boolean): number {
  let [low, high] = [0, marks.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (holds(marks[middle]!)) low = middle;
    else high = middle - 1;
  }
  return low;
}
