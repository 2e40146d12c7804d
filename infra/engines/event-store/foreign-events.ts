import type { Position } from '../../../contracts/position';
import type { RecordedEvent } from '../../../contracts/ports/event-store';

/** Events are counted up to this number: a writer that goes on must not use up the memory. */
const MAX_COUNTED = 10_000;

/** An event in one of this program's streams that it has not written. */
export interface ForeignEvent {
  readonly stream: string;
  readonly type: string;
  readonly position: Position;
}

/** What this process has met since its start. */
export interface ForeignEvents {
  note(event: RecordedEvent): void;
  isIn(stream: string): boolean;
  /** Null where there was none. */
  report(): { readonly count: number; readonly isMore: boolean; readonly first: ForeignEvent } | null;
}

export function foreignEvents(): ForeignEvents {
  const positions = new Set<Position>();
  const streams = new Set<string>();
  let first: ForeignEvent | null = null;
  let isMore = false;
  return {
    note({ stream, type, position }) {
      if (positions.has(position)) return;
      if (positions.size === MAX_COUNTED) {
        isMore = true;
        return;
      }
      positions.add(position);
      streams.add(stream);
      first ??= { stream, type, position };
    },
    isIn: stream => streams.has(stream),
    report: () => first && { count: positions.size, isMore, first },
  };
}
