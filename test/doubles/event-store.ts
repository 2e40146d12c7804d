import {
  WrongExpectedRevision,
  type Appended,
  type EventBatch,
  type EventStore,
  type ExpectedRevision,
  type NewEvent,
  type ReadAllOptions,
  type ReadStreamOptions,
  type RecordedEvent,
  type SubscribeOptions,
} from '../../contracts/ports/event-store';

const category = (stream: string): string => stream.split('-', 1)[0]!;

/** An event store in memory for tests of what stands on the port; forwards reads only. */
export class InMemoryEventStoreDouble implements EventStore {
  private readonly events: RecordedEvent[] = [];
  private readonly waiting = new Set<() => void>();
  /** Streams read, to see that somebody did not need to. */
  reads = 0;

  async append(stream: string, expected: ExpectedRevision, added: readonly NewEvent[]): Promise<Appended> {
    const present = this.events.filter(event => event.stream === stream);
    const actual = present.length > 0 ? present.length - 1 : null;
    const repeated = present.filter(({ id }) => added.some(event => event.id === id));
    if (repeated.length === added.length && repeated.length > 0) return whereabouts(last(repeated)!);
    if (expected === 'no_stream' ? actual !== null : expected !== 'any' && expected !== actual)
      throw new WrongExpectedRevision(stream, expected, actual);
    for (const event of added)
      this.events.push({
        metadata: {},
        ...event,
        stream,
        revision: this.events.filter(other => other.stream === stream).length,
        position: this.events.length,
        created: new Date(this.events.length).toISOString(),
      });
    for (const wake of this.waiting) wake();
    return whereabouts(last(this.events)!);
  }

  async *readStream(stream: string, { from = 0 }: ReadStreamOptions = {}): AsyncIterable<RecordedEvent> {
    this.reads++;
    yield* this.events.filter(event => event.stream === stream && event.revision >= from);
  }

  async *readAll({ after = -1, categories, limit = Infinity }: ReadAllOptions = {}): AsyncIterable<
    readonly RecordedEvent[]
  > {
    const matching = this.events.filter(
      ({ stream, position }) => position > after && (categories?.includes(category(stream)) ?? true),
    );
    if (matching.length > 0) yield matching.slice(0, limit);
  }

  async *subscribe({
    after,
    categories,
    batchSize = 1000,
    signal,
  }: SubscribeOptions): AsyncIterable<EventBatch> {
    for (let position = after; !signal.aborted;) {
      const fresh = this.events.slice(position + 1, position + 1 + batchSize);
      if (fresh.length > 0) {
        position = last(fresh)!.position;
        yield {
          events: fresh.filter(({ stream }) => categories?.includes(category(stream)) ?? true),
          position,
        };
      } else {
        await new Promise<void>(resolve => {
          const wake = () => {
            this.waiting.delete(wake);
            signal.removeEventListener('abort', wake);
            resolve();
          };
          this.waiting.add(wake);
          signal.addEventListener('abort', wake);
        });
      }
    }
  }

  async head(): Promise<number> {
    return this.events.length - 1;
  }

  async close(): Promise<void> {
    for (const wake of this.waiting) wake();
  }
}

const whereabouts = ({ revision, position }: RecordedEvent): Appended => ({ revision, position });

const last = <T>(items: readonly T[]): T | undefined => items[items.length - 1];
