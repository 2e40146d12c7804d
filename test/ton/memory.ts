import { isDeepStrictEqual } from 'node:util';
import {
  CheckpointMoved,
  type Checkpoint,
  type Document,
  type Documents,
  type Filter,
  type Query,
} from '../../contracts/ports/documents';
import type { EventStore, RecordedEvent } from '../../contracts/ports/event-store';
import type { Log, LogMessage, NewMessage } from '../../contracts/ports/log';

/** The few calls that the indexer makes of the engines, in memory, so that a thousand crashes take a second. */
export class MemoryDocuments {
  readonly collections = new Map<string, Map<string, Document>>();
  readonly checkpoints = new Map<string, Checkpoint>();
  /** Called before each commit; throws to be a crash. */
  beforeCommit: (collections: readonly string[]) => void = () => undefined;
  #waiting = new Set<() => void>();

  of(name: string): Map<string, Document> {
    const found = this.collections.get(name) ?? new Map<string, Document>();
    this.collections.set(name, found);
    return found;
  }

  port(): Documents {
    const matches = (document: Document, filter: Filter = {}): boolean =>
      Object.entries(filter).every(([field, condition]) => {
        const value = document[field] as string;
        if (condition === null || typeof condition !== 'object') return value === condition;
        const { gte, lte } = condition as { gte: string; lte: string };
        return value >= gte && value <= lte;
      });
    const port: Partial<Documents> = {
      declare: async () => undefined,
      get: async <D extends Document>(name: string, id: string) => (this.of(name).get(id) as D) ?? null,
      getMany: async <D extends Document>(name: string, ids: readonly string[]) =>
        new Map(ids.flatMap(id => (this.of(name).has(id) ? [[id, this.of(name).get(id) as D]] : []))),
      scan: <D extends Document>(name: string, { filter }: Query) => {
        const found = [...this.of(name).values()].filter(document => matches(document, filter)) as D[];
        return (async function* () {
          yield found;
        })();
      },
      commit: async ({ writes, checkpoint }) => {
        this.beforeCommit(writes.map(write => write.collection));
        const stored = checkpoint && (this.checkpoints.get(checkpoint.name) ?? null);
        if (checkpoint?.expect !== undefined && !isDeepStrictEqual(stored, checkpoint.expect))
          throw new CheckpointMoved(checkpoint.name);
        for (const { collection, id, document } of writes)
          if (document) this.of(collection).set(id, structuredClone(document));
        if (checkpoint) this.checkpoints.set(checkpoint.name, checkpoint.value);
        for (const wake of this.#waiting) wake();
      },
      checkpoint: async name => this.checkpoints.get(name) ?? null,
      waitForChange: (_names, timeout) =>
        new Promise(resolve => {
          const timer = setTimeout(done, timeout);
          const waiting = this.#waiting;
          function done(): void {
            clearTimeout(timer);
            waiting.delete(done);
            resolve();
          }
          waiting.add(done);
        }),
    };
    return port as Documents;
  }
}

export class MemoryLog {
  readonly topics = new Map<string, NewMessage[]>();
  /** Called with each message before it is kept; throws to be a broker that is away. */
  beforePublish: (message: NewMessage) => void = () => undefined;

  of(topic: string): NewMessage[] {
    const found = this.topics.get(topic) ?? [];
    this.topics.set(topic, found);
    return found;
  }

  /** As consumers get them, from one partition. */
  messages(topic: string): LogMessage[] {
    return this.of(topic).map((message, offset) => ({
      ...message,
      headers: {},
      topic,
      partition: 0,
      offset,
      timestamp: 0,
    }));
  }

  port(): Log {
    const port: Partial<Log> = {
      declare: async () => undefined,
      publish: async (topic, messages) => {
        for (const message of messages) {
          this.beforePublish(message);
          this.of(topic).push(message);
        }
      },
    };
    return port as Log;
  }
}

export class MemoryEvents {
  readonly events: RecordedEvent[] = [];
  #waiting = new Set<() => void>();

  watch(data: { chain: string; network: string; address: string }): RecordedEvent {
    const position = this.events.length;
    const event: RecordedEvent = {
      id: `event-${position}`,
      type: 'AccountWatched',
      data,
      metadata: {},
      stream: `watch-${data.chain}:${data.network}:${data.address}`,
      revision: 0,
      position,
      created: '2026-01-01T00:00:00.000Z',
    };
    this.events.push(event);
    for (const wake of this.#waiting) wake();
    return event;
  }

  port(): EventStore {
    const { events } = this;
    const waiting = this.#waiting;
    const port: Partial<EventStore> = {
      async *subscribe({ after, signal }) {
        for (let next = after + 1; !signal.aborted;) {
          const batch = events.slice(next);
          next += batch.length;
          if (batch.length > 0) yield { events: batch, position: next - 1 };
          else
            await new Promise<void>(resolve => {
              const done = (): void => {
                waiting.delete(done);
                resolve();
              };
              waiting.add(done);
              signal.addEventListener('abort', done, { once: true });
            });
        }
      },
    };
    return port as EventStore;
  }
}
