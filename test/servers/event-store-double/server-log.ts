import { randomUUID } from 'node:crypto';
import type { Position } from '../../../contracts/position';
import type { EventBatch, EventStore, RecordedEvent } from '../../../contracts/ports/event-store';
import { LogPositions } from './log-positions';

/** The server records its scavenges too, so that none ends the log. */
const SCAVENGES = '$scavenges';

/** The first revisions that a scavenge leaves, by stream. */
export type Beginnings = Readonly<Record<string, number>>;

/**
 * An event store with the positions of a server, from which records vanish: reads leave them out, and positions have no record
 * where they were.
 */
export interface ServerLog extends EventStore {
  /** Where the next record will be. */
  next(): Promise<Position>;
  /** Whether a record is at the position, or the server looks for the next one. */
  isReadable(position: Position): boolean;
  /** Removes the records before the beginnings, all but those that are appended meanwhile. */
  scavenge(beginnings: Beginnings): Promise<void>;
}

interface Removed {
  readonly before: number;
  readonly upTo: Position;
}

export async function openServerLog(store: EventStore): Promise<ServerLog> {
  const positions = new LogPositions();
  const removed = new Map<string, Removed>();

  /** @param upTo the row of the record of a scavenge: what follows it is in another chunk */
  const remove = (beginnings: Beginnings, upTo: Position): void => {
    positions.endChunk(upTo);
    for (const [stream, before] of Object.entries(beginnings)) removed.set(stream, { before, upTo });
  };
  for await (const { data, position } of store.readStream(SCAVENGES))
    remove(data['beginnings'] as Beginnings, position);

  const isLeft = ({ stream, revision, position }: RecordedEvent): boolean => {
    const { before, upTo } = removed.get(stream) ?? { before: 0, upTo: 0 };
    return revision >= before || position > upTo;
  };
  const placed = (event: RecordedEvent): RecordedEvent => ({
    ...event,
    position: positions.ofRow(event.position),
  });

  return {
    ...store,
    async append(...append) {
      const { revision, position } = await store.append(...append);
      return { revision, position: positions.ofRow(position) };
    },
    async *readStream(...read) {
      for await (const event of store.readStream(...read)) if (isLeft(event)) yield placed(event);
    },
    async *readAll({ limit = Infinity, after, ...options } = {}) {
      let left = limit;
      if (left <= 0) return;
      const isBackwards = options.direction === 'backwards';
      const afterRow =
        after === undefined
          ? {}
          : { after: isBackwards ? positions.lastRowAt(after - 1) + 1 : positions.lastRowAt(after) };
      for await (const batch of store.readAll({ ...options, ...afterRow })) {
        const events = batch.filter(isLeft).slice(0, left);
        left -= events.length;
        if (events.length > 0) yield events.map(placed);
        if (left === 0) return;
      }
    },
    async *subscribe({ after, ...options }): AsyncGenerator<EventBatch> {
      // A position behind the end may be that of another row once the log is there.
      const afterRow = Math.min(positions.lastRowAt(after), await store.head());
      for await (const { events, position } of store.subscribe({ ...options, after: afterRow }))
        yield {
          events: events
            .filter(isLeft)
            .map(placed)
            .filter(event => event.position > after),
          position: positions.ofRow(position),
        };
    },
    head: async () => positions.ofRow(await store.head()),
    next: async () => positions.ofRow((await store.head()) + 1),
    isReadable: position => positions.isReadable(position),
    async scavenge(beginnings) {
      const { position } = await store.append(SCAVENGES, 'any', [
        { id: randomUUID(), type: '$scavengeCompleted', data: { beginnings } },
      ]);
      remove(beginnings, position);
    },
  };
}
