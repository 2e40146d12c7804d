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
 * @param known what the caller expects the stream to be: the command is decided on it first, without reading. The stream is read if the
 *   append finds it otherwise, or if nothing would be appended. A repeated command then returns its events as it would write them now,
 *   at the position of the first time.
 * @param onlyAt the revision of the last event, as the caller has read it: nothing is decided once another event has followed
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

/** States that are remembered: those of the streams that were used most recently. */
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
    const call = { kind, stream, command, commandId };
    const outcome = known && (await executeOn(known, store, call));
    if (outcome) return outcome;
    const run = () => execute({ store, readStates }, call, onlyAt);
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

/** A command, and the stream that it is for. */
interface Call<State, C extends Command, Event extends DomainEvent> {
  readonly kind: StreamKind<State, C, Event>;
  readonly stream: string;
  readonly command: C;
  readonly commandId: string;
}

async function execute<State, C extends Command, Event extends DomainEvent>(
  { store, readStates }: Streams,
  call: Call<State, C, Event>,
  onlyAt: number | undefined,
): Promise<Outcome<State, Event>> {
  const { kind, stream, command, commandId } = call;
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
  return append(store, call, { state, revision }, decision);
}

/** Null where the stream has to be read. */
async function executeOn<State, C extends Command, Event extends DomainEvent>(
  known: KnownState<State>,
  store: EventStore,
  call: Call<State, C, Event>,
): Promise<Outcome<State, Event> | null> {
  const decision = call.kind.decider.decide(known.state, call.command);
  if (isRefusal(decision) || decision.length === 0) return null;
  try {
    return await append(store, call, known, decision);
  } catch (error) {
    if (error instanceof WrongExpectedRevision) return null;
    throw error;
  }
}

async function append<State, C extends Command, Event extends DomainEvent>(
  store: EventStore,
  { kind, stream, command, commandId }: Call<State, C, Event>,
  { state, revision }: KnownState<State>,
  decision: readonly Event[],
): Promise<Outcome<State, Event>> {
  const { decider, events: family, lastEventIsState } = kind;
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
