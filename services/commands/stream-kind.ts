import type { CommandMetadata, Decider, DomainEvent } from '../../contracts/decider';
import type { EventFamily } from '../../contracts/events/event-type';
import type { EventStore, ReadStreamOptions, RecordedEvent } from '../../contracts/ports/event-store';

/** A command contains everything that its decision needs besides the state. */
export interface Command {
  /** Distinguishes the steps of one call in one stream: part of the id of the command there. */
  readonly type?: string;
  readonly metadata: CommandMetadata & {
    /**
     * From the idempotency key of the caller. A command whose id is already in the stream is not decided again and returns
     * its first outcome. Without an id every command is new.
     */
    readonly commandId?: string;
  };
}

/** One kind of stream: its decider, and how its events are stored. */
export interface StreamKind<State, C extends Command, Event extends DomainEvent> {
  readonly decider: Decider<State, C, Event>;
  readonly events: EventFamily<Event>;
  /**
   * Each event holds the whole state, so that only the last one is read: for streams that are written often, whose commands
   * would become slower with each write. A command appends one event at most, and one that is repeated after a later command is
   * decided again: the decision must see from the state that it is outdated, by a revision that the command names for example.
   */
  readonly lastEventIsState?: true;
  /**
   * Types of events that hold the whole state: nothing before the last of them is read, for streams that grow for years, and a command
   * reads on from the state of the one before it. A command that is repeated is decided again: the decision must see from the state
   * that it was made.
   */
  readonly carriedForward?: readonly string[];
}

/** A stream as the caller has just read it, or expects it to be. */
export interface KnownState<State> {
  readonly state: State;
  /** Of the last event of the stream; null when there is none. */
  readonly revision: number | null;
}

/** A stream that most likely does not exist. */
export function newStream<State, C extends Command, Event extends DomainEvent>({
  decider,
}: StreamKind<State, C, Event>): KnownState<State> {
  return { state: decider.initial(), revision: null };
}

const LAST_EVENT: ReadStreamOptions = { direction: 'backwards', limit: 1 };
/** Events that are read at once on the way back to the last that holds the whole state. */
const PAGE = 64;

interface StateEvents {
  readonly lastEventIsState?: true;
  readonly carriedForward?: readonly string[];
}

/** What has to be read of a stream of a kind to know its state, in order of the revisions. */
export function stateEvents(
  store: Pick<EventStore, 'readStream'>,
  { lastEventIsState, carriedForward }: StateEvents,
  stream: string,
): AsyncIterable<RecordedEvent> {
  return carriedForward
    ? sinceCarriedForward(store, carriedForward, stream)
    : store.readStream(stream, lastEventIsState && LAST_EVENT);
}

async function* sinceCarriedForward(
  store: Pick<EventStore, 'readStream'>,
  types: readonly string[],
  stream: string,
): AsyncGenerator<RecordedEvent> {
  const found: RecordedEvent[] = [];
  for (let from: number | undefined; from === undefined || from >= 0;) {
    const before = found.length;
    const page = { direction: 'backwards', limit: PAGE, ...(from !== undefined && { from }) } as const;
    for await (const event of store.readStream(stream, page)) {
      found.push(event);
      if (types.includes(event.type)) return yield* found.reverse();
    }
    if (found.length - before < PAGE) break;
    from = found.at(-1)!.revision - 1;
  }
  yield* found.reverse();
}
