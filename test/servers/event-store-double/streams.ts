import { randomUUID } from 'node:crypto';
import { status } from '@grpc/grpc-js';
import {
  type AppendResult,
  type EventStore,
  type ExpectedRevision,
  type NewEvent,
  type RecordedEvent,
  WrongExpectedRevision,
} from '../../../contracts/ports/event-store';
import { BEGINNING } from '../../../contracts/position';
import { TOMBSTONE } from './responses';
import type { Beginnings, ServerLog } from './server-log';
import { StatusError } from './status-error';

/** The stream that says of another one where it begins. */
const METADATA = '$$';

/** Adds the deletion of streams to the embedded event store. */
export interface Streams {
  append(stream: string, expected: ExpectedRevision, events: readonly NewEvent[]): Promise<AppendResult>;
  /** The first revision that can be read, or null when there is nothing to read. @throws StatusError after a tombstone */
  beginning(stream: string): Promise<number | null>;
  /** Null when it has never begun. */
  lastRevision(stream: string): Promise<number | null>;
  /** Hides the current events; later appends continue the revisions. */
  delete(stream: string, expected: ExpectedRevision): Promise<AppendResult>;
  /** Permanently. */
  tombstone(stream: string, expected: ExpectedRevision): Promise<AppendResult>;
  /** Removes what is hidden, and all but the newest metadata. */
  scavenge(): Promise<void>;
}

const streamDeleted = (stream: string): StatusError =>
  new StatusError(status.FAILED_PRECONDITION, `Event stream '${stream}' is deleted.`, {
    exception: 'stream-deleted',
    'stream-name': stream,
  });

const last = async (store: EventStore, stream: string): Promise<RecordedEvent | null> => {
  for await (const event of store.readStream(stream, { direction: 'backwards', limit: 1 })) return event;
  return null;
};

export async function openStreams(store: ServerLog): Promise<Streams> {
  // As on the server, no event of a client is the first.
  if ((await store.head()) === BEGINNING)
    await store.append('$$$scavenges', 'no_stream', [
      { id: randomUUID(), type: '$metadata', data: { $maxAge: 30 * 24 * 60 * 60 } },
    ]);
  // Only these are looked up before an append, because appends of one call must reach the store in order.
  const deleted = new Set<string>();
  const note = ({ stream, type }: Pick<RecordedEvent, 'stream' | 'type'>): void => {
    if (stream.startsWith(METADATA)) deleted.add(stream.slice(METADATA.length));
    if (type === TOMBSTONE) deleted.add(stream);
  };
  for await (const batch of store.readAll()) batch.forEach(note);

  const look = async (stream: string) => {
    const event = await last(store, stream);
    if (event?.type === TOMBSTONE) throw streamDeleted(stream);
    // Of metadata only the newest can be read.
    if (stream.startsWith(METADATA)) return { event, beginning: event?.revision ?? 0, isEmpty: !event };
    const truncated = (await last(store, `${METADATA}${stream}`))?.data['$tb'];
    const beginning = typeof truncated === 'number' ? truncated : 0;
    return { event, beginning, isEmpty: !event || event.revision < beginning };
  };

  const expectedOf = async (stream: string, expected: ExpectedRevision): Promise<ExpectedRevision> => {
    const { event, isEmpty } = await look(stream);
    if (typeof expected === 'number' || expected === 'any' || !event || !isEmpty) return expected;
    if (expected === 'stream_exists') throw streamDeleted(stream);
    return event.revision;
  };

  const lastToDelete = async (stream: string, expected: ExpectedRevision): Promise<RecordedEvent | null> => {
    const { event } = await look(stream);
    if (expected === 'any' || (event && ['stream_exists', event.revision].includes(expected))) return event;
    throw new WrongExpectedRevision(stream, expected, event?.revision ?? null);
  };

  return {
    append: async (stream, expected, events) => {
      const given = deleted.has(stream) ? await expectedOf(stream, expected) : expected;
      const appended = await store.append(stream, given, events);
      // A stream is truncated by an append to its metadata.
      for (const { type } of events) note({ stream, type });
      return appended;
    },
    lastRevision: async stream => (await look(stream)).event?.revision ?? null,
    beginning: async stream => {
      const { beginning, isEmpty } = await look(stream);
      return isEmpty ? null : beginning;
    },
    delete: async (stream, expected) => {
      const event = await lastToDelete(stream, expected);
      // Not even with `any`.
      if (!event) throw new WrongExpectedRevision(stream, expected, null);
      deleted.add(stream);
      const data = { $tb: event.revision + 1 };
      return store.append(`${METADATA}${stream}`, 'any', [{ id: randomUUID(), type: '$metadata', data }]);
    },
    tombstone: async (stream, expected) => {
      await lastToDelete(stream, expected);
      deleted.add(stream);
      return store.append(stream, 'any', [{ id: randomUUID(), type: TOMBSTONE, data: {} }]);
    },
    scavenge: async () => {
      const beginnings: Record<string, number> = {};
      for (const stream of deleted) {
        const event = await last(store, stream);
        const metadata = await last(store, `${METADATA}${stream}`);
        if (metadata) beginnings[`${METADATA}${stream}`] = metadata.revision;
        if (event?.type === TOMBSTONE) beginnings[stream] = event.revision;
        else beginnings[stream] = (metadata?.data['$tb'] as number | undefined) ?? 0;
      }
      await store.scavenge(beginnings satisfies Beginnings);
    },
  };
}
