import { isDeepStrictEqual } from 'node:util';
import {
  CheckpointMoved,
  type Checkpoint,
  type Document,
  type Documents,
} from '../../contracts/ports/documents';
import type { EventStore, RecordedEvent } from '../../contracts/ports/event-store';
import type { Jobs, NewJob } from '../../contracts/ports/jobs';
import type { Log, LogMessage } from '../../contracts/ports/log';

/** Ports that live in memory and can be told to fail: just what the indexer of Solana asks of them. */

export interface MemoryLog extends Log {
  readonly messages: LogMessage[];
  /** Thrown instead of publishing, or after it. */
  fault: (() => 'before' | 'after' | null) | null;
}

const unasked = (): never => {
  throw new Error('not part of this double');
};

export function memoryLog(): MemoryLog {
  const messages: LogMessage[] = [];
  const log: MemoryLog = {
    messages,
    fault: null,
    declare: async () => {},
    async publish(topic, published) {
      await Promise.resolve();
      const fault = log.fault?.() ?? null;
      if (fault === 'before') throw new Error('the log did not take it');
      for (const { key, value, headers = {} } of published)
        messages.push({ topic, partition: 0, offset: messages.length, timestamp: 0, key, value, headers });
      if (fault === 'after') throw new Error('the log took it and did not say so');
    },
    consume: unasked,
    read: unasked,
    endOffsets: unasked,
    committedOffsets: unasked,
    close: async () => {},
  };
  return log;
}

export interface MemoryDocuments extends Documents {
  fault: (() => boolean) | null;
}

export function memoryDocuments(): MemoryDocuments {
  const stored = new Map<string, Document>();
  const checkpoints = new Map<string, Checkpoint>();
  const documents: MemoryDocuments = {
    fault: null,
    declare: async () => {},
    drop: unasked,
    get: async <D extends Document>(collection: string, id: string) =>
      (stored.get(`${collection}/${id}`) ?? null) as D | null,
    getMany: unasked,
    find: unasked,
    async *scan<D extends Document>(collection: string, { filter = {} }: { filter?: object }) {
      const matches = [...stored.entries()]
        .filter(([key]) => key.startsWith(`${collection}/`))
        .map(([, document]) => document)
        .filter(document => Object.entries(filter).every(([field, value]) => document[field] === value))
        .sort((a, b) => Number(a['slot']) - Number(b['slot']));
      if (matches.length > 0) yield matches as D[];
    },
    count: unasked,
    async commit({ writes, checkpoint }) {
      await Promise.resolve();
      if (documents.fault?.()) throw new Error('the documents were not stored');
      const found = checkpoint && (checkpoints.get(checkpoint.name) ?? null);
      if (checkpoint?.expect !== undefined && !isDeepStrictEqual(found, checkpoint.expect))
        throw new CheckpointMoved(checkpoint.name);
      for (const { collection, id, document } of writes)
        if (document) stored.set(`${collection}/${id}`, JSON.parse(JSON.stringify(document)) as Document);
        else stored.delete(`${collection}/${id}`);
      if (checkpoint) checkpoints.set(checkpoint.name, checkpoint.value);
    },
    checkpoint: async name => checkpoints.get(name) ?? null,
    waitForChange: unasked,
    close: async () => {},
  };
  return documents;
}

export interface MemoryStore extends EventStore {
  watch(network: string, address: string): void;
}

export function memoryStore(): MemoryStore {
  const events: RecordedEvent[] = [];
  const waiting = new Set<() => void>();
  return {
    watch(network, address) {
      const data = { chain: 'solana', network, address };
      const position = events.length;
      const stream = `watch-${position}`;
      const event = { id: stream, stream, type: 'AccountWatched', data, metadata: {}, revision: 0 };
      events.push({ ...event, position, created: '' });
      for (const wake of waiting) wake();
    },
    append: unasked,
    readStream: unasked,
    async *readAll() {
      if (events.length > 0) yield [...events];
    },
    async *subscribe({ after, signal }) {
      for (let seen = after; !signal.aborted;) {
        const fresh = events.filter(({ position }) => position > seen);
        if (fresh.length > 0) {
          seen = fresh.at(-1)!.position;
          yield { events: fresh, position: seen };
        } else
          await new Promise<void>(resolve => {
            waiting.add(resolve);
            signal.addEventListener('abort', () => resolve(), { once: true });
          });
      }
    },
    head: unasked,
    close: async () => {},
  };
}

/** Jobs that run as soon as they are due, one at a time per queue. */
export function memoryJobs(): Jobs {
  const waiting = new Map<string, NewJob>();
  const turn = (): Promise<void> => new Promise(resolve => setTimeout(resolve, 1));
  return {
    async add(job) {
      const key = `${job.queue}/${job.id}`;
      if (waiting.has(key)) return false;
      waiting.set(key, job);
      return true;
    },
    schedule: unasked,
    unschedule: unasked,
    async work({ queue, signal }, handle) {
      while (!signal.aborted) {
        const entry = [...waiting].find(([, job]) => job.queue === queue);
        if (entry) {
          const [key, job] = entry;
          await handle({ queue, id: job.id, data: job.data, attempt: 1, signal }).then(
            () => waiting.delete(key),
            () => {},
          );
        }
        await turn();
      }
    },
    counts: unasked,
    failures: unasked,
    close: async () => {},
  };
}
