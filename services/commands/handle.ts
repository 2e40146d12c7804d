import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { v4 } from 'uuid';
import { isRefusal, type DomainEvent, type Refusal } from '../../contracts/decider';
import { eventId } from '../../contracts/events/event-id';
import type { JsonObject } from '../../contracts/json/json';
import { BEGINNING, type Position } from '../../contracts/position';
import { WrongExpectedRevision, type EventStore } from '../../contracts/ports/event-store';
import { createKeyedMutex } from './keyed-mutex';
import { stateEvents, type Command, type KnownState, type StreamKind } from './stream-kind';

/** The outcome of a command. A read at `position` includes it; `events` is empty when nothing changed. */
export type Outcome<State, Event> =
  | { readonly refusal: Refusal }
  | {
      readonly refusal: null;
      readonly state: State;
      readonly events: readonly Event[];
      readonly position: Position;
      /** Of the last event of the stream; null when there is none. */
      readonly revision: number | null;
    };

/**
 * @param known decided on first, without reading; the stream is read where it is not so, or where nothing would be appended. A command
 *   that is repeated then returns its events as it would write them now, at the position of the first time.
 * @param onlyAt the revision of the last event, as the caller has read it: nothing is decided once another has followed
 */
export type Handle = <State, C extends Command, Event extends DomainEvent>(
  kind: StreamKind<State, C, Event>,
  stream: string,
  command: C,
  known?: KnownState<State>,
  onlyAt?: number,
) => Promise<Outcome<State, Event>>;

/**
 * A state as it was last read, of a stream that carries it forward. What another process has appended meanwhile is read before a
 * decision, and an append at a revision that is no longer the last is refused: nothing is decided on a state that is outdated.
 */
interface ReadState {
  readonly state: unknown;
  readonly revision: number;
  readonly position: Position;
}

/** Those of the streams that were used last. */
const MAX_READ_STATES = 500;

const MAX_ATTEMPTS = 5;
/** Maximum wait before the second attempt, doubling; the wait is random, so that concurrent writers spread out. */
const FIRST_BACKOFF_MS = 8;

/**
 * Executes commands: load the stream, fold, decide, append at the revision just read. On a version conflict this is
 * repeated with the new state, a few times; then `WrongExpectedRevision` is thrown. Commands of one process that have met at a
 * stream take turns there, so that many at once, as at a stream that all callers share, do not make each other give up.
 */
export function createHandle({ store }: { readonly store: EventStore }): Handle {
  // What waits are calls of this process, whose number has a bound of its own.
  const mutex = createKeyedMutex(Infinity);
  const readStates = new LRUCache<string, ReadState>({ max: MAX_READ_STATES });
  return async (kind, stream, command, known, onlyAt) => {
    const commandId = commandIdIn(command) ?? v4();
    const outcome = known && (await executeOn(known, store, kind, stream, command, commandId));
    if (outcome) return outcome;
    const run = () => execute({ store, readStates }, kind, stream, command, commandId, onlyAt);
    for (let attempt = 1; ; attempt++) {
      try {
        return await (attempt === 1 ? run() : mutex(stream, commandId, run));
      } catch (error) {
        // A stream that was deleted may have begun again.
        readStates.delete(stream);
        if (!(error instanceof WrongExpectedRevision) || attempt === MAX_ATTEMPTS) throw error;
        await sleep(Math.random() * FIRST_BACKOFF_MS * 2 ** (attempt - 1));
      }
    }
  };
}

/** The id of a command in the streams it has written to; null when it has none. */
export function commandIdIn({ type, metadata: { commandId } }: Command): string | null {
  if (commandId === undefined) return null;
  return type === undefined ? commandId : `${commandId}/${type}`;
}

interface Streams {
  readonly store: EventStore;
  readonly readStates: LRUCache<string, ReadState>;
}

async function execute<State, C extends Command, Event extends DomainEvent>(
  { store, readStates }: Streams,
  kind: StreamKind<State, C, Event>,
  stream: string,
  command: C,
  commandId: string,
  onlyAt: number | undefined,
): Promise<Outcome<State, Event>> {
  const { decider, events: family } = kind;
  const last = kind.carriedForward && readStates.get(stream);
  let state = last ? (last.state as State) : decider.initial();
  let revision: number | null = last?.revision ?? null;
  let position = last?.position ?? BEGINNING;
  const unread = last
    ? store.readStream(stream, { from: last.revision + 1 })
    : stateEvents(store, kind, stream);
  const earlier: Event[] = [];
  let then: { state: State; revision: number; position: Position } | null = null;
  for await (const recorded of unread) {
    const event = family.read(recorded) as Event;
    state = decider.evolve(state, event);
    ({ revision, position } = recorded);
    if (recorded.metadata['commandId'] !== commandId) continue;
    earlier.push(event);
    then = { state, revision: recorded.revision, position };
  }
  if (kind.carriedForward && revision !== null) readStates.set(stream, { state, revision, position });
  if (then) return { refusal: null, events: earlier, ...then };
  if (onlyAt !== undefined && onlyAt !== revision)
    return { refusal: null, state, events: [], position, revision };

  const decision = decider.decide(state, command);
  if (isRefusal(decision)) return { refusal: decision };
  if (decision.length === 0) return { refusal: null, state, events: [], position, revision };
  return append(store, kind, stream, command, commandId, { state, revision }, decision);
}

/** Null where the stream has to be read. */
async function executeOn<State, C extends Command, Event extends DomainEvent>(
  known: KnownState<State>,
  store: EventStore,
  kind: StreamKind<State, C, Event>,
  stream: string,
  command: C,
  commandId: string,
): Promise<Outcome<State, Event> | null> {
  const decision = kind.decider.decide(known.state, command);
  if (isRefusal(decision) || decision.length === 0) return null;
  try {
    return await append(store, kind, stream, command, commandId, known, decision);
  } catch (error) {
    if (error instanceof WrongExpectedRevision) return null;
    throw error;
  }
}

async function append<State, C extends Command, Event extends DomainEvent>(
  store: EventStore,
  { decider, events: family, lastEventIsState }: StreamKind<State, C, Event>,
  stream: string,
  command: C,
  commandId: string,
  { state, revision }: KnownState<State>,
  decision: readonly Event[],
): Promise<Outcome<State, Event>> {
  if (lastEventIsState && decision.length > 1) throw new Error(`${stream}: only one event can be the state`);
  const metadata = { ...command.metadata, commandId } as JsonObject;
  const written = decision.map((event, index) =>
    family.write(event, eventId(commandId, stream, index), metadata),
  );
  const appended = await store.append(stream, revision ?? 'no_stream', written);
  const events = written.map(event => family.read(event) as Event);
  return {
    refusal: null,
    state: events.reduce((folded, event) => decider.evolve(folded, event), state),
    events,
    ...appended,
  };
}
