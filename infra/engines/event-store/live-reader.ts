import { setTimeout as pause } from 'node:timers/promises';
import { categoryOf } from '../../../contracts/category';
import type { Position } from '../../../contracts/position';
import type {
  EventBatch,
  EventStore,
  RecordedEvent,
  SubscriptionInterruption,
} from '../../../contracts/ports/event-store';

/** Of the events that are kept for subscribers that are still busy with earlier ones. */
export const MAX_EVENTS = 1_000;
const MAX_BYTES = 16 * 1024 * 1024;

/** Subscribers that come one after the other, as at a start, are waited for, so that one call has the categories of all. */
const GATHERING_MS = 100;

/** Stands for the events of all categories. */
const ALL = '';

interface RecentEvent {
  readonly event: RecordedEvent;
  readonly category: string;
  readonly bytes: number;
}

/** Reads what is new in the store once, for all its subscribers, and keeps the newest events for those that are a little behind. */
export class LiveReader {
  private readonly ended = new AbortController();
  private readonly waiting = new Set<() => void>();
  /** Since when the events of a category are read. */
  private readonly readSince = new Map<string, Position>();
  private recent: RecentEvent[] = [];
  private bytes = 0;
  /** Everything after it is in `recent`. */
  private keptSince: Position;
  private reached: Position;
  private call: AbortController | null = null;

  /** @param after the position from which it reads */
  constructor(
    private readonly store: Pick<EventStore, 'subscribe'>,
    after: Position,
    private readonly onInterrupted: (reason: SubscriptionInterruption) => void,
    private readonly maxEvents: number,
  ) {
    this.keptSince = this.reached = after;
  }

  /** Reads these categories, too, from where it is. */
  include(categories: readonly string[] = [ALL]): void {
    const added = categories.filter(category => !this.readSince.has(category));
    if (added.length === 0) return;
    for (const category of added) this.readSince.set(category, this.reached);
    this.call?.abort();
  }

  /** Whether it has, or will have, all events of the categories after a position. */
  has(position: Position, categories: readonly string[] = [ALL]): boolean {
    const isRead = (category: string): boolean =>
      [category, ALL].some(each => (this.readSince.get(each) ?? Infinity) <= position);
    return !this.ended.signal.aborted && position >= this.keptSince && categories.every(isRead);
  }

  /** What it has read after a position; at most so many events. The batch ends at the position itself when there is nothing. */
  after(position: Position, categories: readonly string[] | undefined, limit: number): EventBatch {
    const events: RecordedEvent[] = [];
    const first = this.recent.findLastIndex(({ event }) => event.position <= position) + 1;
    for (let at = first; at < this.recent.length && events.length < limit; at++) {
      const { event, category } = this.recent[at]!;
      if (!categories || categories.includes(category)) events.push(event);
    }
    const end = events.length === limit ? events.at(-1)!.position : this.reached;
    return { events, position: Math.max(position, end) };
  }

  /** Resolves once it has read more, has ended, or when the signal fires. */
  changed(signal: AbortSignal): Promise<void> {
    return new Promise(resolve => {
      const done = (): void => {
        this.waiting.delete(done);
        signal.removeEventListener('abort', done);
        resolve();
      };
      if (signal.aborted || this.ended.signal.aborted) return resolve();
      this.waiting.add(done);
      signal.addEventListener('abort', done);
    });
  }

  /** Reads until `end`, or until the store is closed. @throws what `subscribe` does */
  async run(): Promise<void> {
    try {
      while (!this.ended.signal.aborted) {
        await pause(GATHERING_MS);
        this.call = new AbortController();
        await this.readUntil(this.call.signal);
        if (!this.call.signal.aborted) return;
      }
    } finally {
      this.end();
    }
  }

  end(): void {
    this.ended.abort();
    this.call?.abort();
    this.notify();
  }

  private async readUntil(signal: AbortSignal): Promise<void> {
    const subscription = this.store.subscribe({
      after: this.reached,
      ...(!this.readSince.has(ALL) && { categories: [...this.readSince.keys()] }),
      signal: AbortSignal.any([signal, this.ended.signal]),
      onInterrupted: this.onInterrupted,
    });
    for await (const batch of subscription) {
      // It lacks the categories that were included meanwhile.
      if (signal.aborted) return;
      this.add(batch);
      this.notify();
    }
  }

  private add({ events, position }: EventBatch): void {
    for (const event of events) {
      const bytes = JSON.stringify(event.data).length;
      this.recent.push({ event, category: categoryOf(event.stream), bytes });
      this.bytes += bytes;
    }
    this.reached = position;
    while (this.recent.length > this.maxEvents || this.bytes > MAX_BYTES) {
      const { event, bytes } = this.recent.shift()!;
      this.bytes -= bytes;
      this.keptSince = event.position;
    }
  }

  private notify(): void {
    for (const done of [...this.waiting]) done();
  }
}
