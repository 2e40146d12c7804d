import type { CommandMetadata, DomainEvent } from '../../contracts/decider';
import type { EventStore } from '../../contracts/ports/event-store';
import { stateEvents, type StreamKind } from './stream-kind';

/** The current state of a stream, for reading; only the command handler makes decisions. */
export async function load<State, C extends { metadata: CommandMetadata }, Event extends DomainEvent>(
  store: Pick<EventStore, 'readStream'>,
  kind: StreamKind<State, C, Event>,
  stream: string,
): Promise<State> {
  const { decider, events } = kind;
  let state = decider.initial();
  for await (const recorded of stateEvents(store, kind, stream))
    state = decider.evolve(state, events.read(recorded) as unknown as Event);
  return state;
}
