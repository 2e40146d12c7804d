import {
  AppendTooLarge,
  WrongExpectedRevision,
  type EventStore,
  type RecordedEvent,
} from '../../../contracts/ports/event-store';
import { readAllWhere } from './selected-events';

/**
 * The streams of a server whose names begin with a prefix and an underscore, under their names without it: several instances
 * share a server, each with a prefix of its own. The global order is that of the server.
 */
export function prefixedStreams(store: EventStore, prefix: string): EventStore {
  const start = `${prefix}_`;
  // No name is no stream, with a prefix too.
  const named = (name: string): string => name && start + name;
  const isPrefixed = ({ stream }: RecordedEvent): boolean => stream.startsWith(start);
  const plain = (event: RecordedEvent): RecordedEvent => ({
    ...event,
    stream: event.stream.slice(start.length),
  });
  const inCategories = <Options extends { readonly categories?: readonly string[] }>(
    options: Options,
  ): Options => ({ ...options, ...(options.categories && { categories: options.categories.map(named) }) });

  return {
    ...store,
    async append(stream, expected, events) {
      try {
        return await store.append(named(stream), expected, events);
      } catch (error) {
        if (error instanceof WrongExpectedRevision)
          throw new WrongExpectedRevision(stream, expected, error.actual);
        throw error instanceof AppendTooLarge ? new AppendTooLarge(stream) : error;
      }
    },
    deleteUpTo: async (stream, revision) => store.deleteUpTo(named(stream), revision),
    async *readStream(stream, options) {
      for await (const event of store.readStream(named(stream), options)) yield plain(event);
    },
    async *readAll(options = {}) {
      for await (const events of readAllWhere(store, isPrefixed, inCategories(options)))
        yield events.map(plain);
    },
    async *subscribe(options) {
      for await (const { events, position } of store.subscribe(inCategories(options)))
        yield { events: events.filter(isPrefixed).map(plain), position };
    },
  };
}
