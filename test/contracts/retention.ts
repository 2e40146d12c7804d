import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { JsonObject } from '../../contracts/json/json';
import type { RecordedEvent } from '../../contracts/ports/event-store';
import { openSqliteEventStore } from '../../infra/engines/event-store/sqlite/sqlite-event-store';
import type { EventProjection } from '../../projections/projection';
import { createHandle } from '../../services/commands/handle';
import { applyRetention } from '../../services/retention/apply-retention';
import type { Retention } from '../../services/retention/retention';
import { CrashingDocuments } from '../doubles/documents';
import { temporaryFolder } from '../temporary-folder';
import { given } from './projection';

/** Events of one stream as they are stored; version 1 unless a version is given. */
type Stream = readonly (readonly [type: string, data: object, version?: number])[];

interface Streams {
  readonly [name: string]: Stream;
}

const DAY_MS = 86_400_000;
const START = Date.parse('2026-01-01T00:00:00.000Z');

/**
 * The contract of a retention: when a stream goes, its documents go first, and at every moment a rebuild from what is left of
 * the events finds the documents that were folded as they came.
 * @param projections those that fold the category
 * @param streams that go after their days, that stay for good, and of which the last event stays
 */
export function describeRetention(
  retention: Retention,
  projections: readonly EventProjection[],
  {
    goes = {},
    stays = {},
    lastStays = {},
  }: { readonly goes?: Streams; readonly stays?: Streams; readonly lastStays?: Streams },
): void {
  const { category, days } = retention;
  const stream = `${category}-1`;
  let folder: string;
  beforeEach(() => {
    folder = temporaryFolder();
  });

  /** A store with the stream, the clock, and all events that there ever were. */
  const record = async (events: Stream) => {
    let now = START;
    const clock = (): Date => new Date(now);
    const store = openSqliteEventStore({ path: join(folder, 'events.db'), clock });
    const added = events.map(([type, data, v = 1]) => ({
      id: randomUUID(),
      type,
      data: data as JsonObject,
      metadata: { v },
    }));
    await store.append(stream, 'no_stream', added);
    const seen = new Map<number, RecordedEvent>();
    const left = async (): Promise<RecordedEvent[]> => {
      const events: RecordedEvent[] = [];
      for await (const page of store.readAll({ categories: [category] })) events.push(...page);
      for (const event of events) seen.set(event.position, event);
      return events;
    };
    const on = {
      store,
      clock,
      documents: new CrashingDocuments(),
      handle: createHandle({ store }),
      foldedByAll: async () => Infinity,
    };
    const foldings = async (events: readonly RecordedEvent[]) =>
      Promise.all(projections.map(projection => given(projection, events).replay()));
    await left();
    return {
      store,
      /** After so many days. @returns what is left of the stream */
      async applyAfter(passed: number): Promise<RecordedEvent[]> {
        now = START + passed * DAY_MS;
        // Others go on: the last event of a store cannot be deleted.
        await store.append('others-1', 'any', [{ id: randomUUID(), type: 'Happened', data: {} }]);
        await applyRetention(on, retention, days, new AbortController().signal);
        return left();
      },
      async documents() {
        const folded = await foldings([...seen.values()].sort((a, b) => a.position - b.position));
        expect(await foldings(await left())).toEqual(folded);
        return folded.flatMap(collections => Object.values(collections)).flat();
      },
    };
  };

  /** Jest takes no empty table. */
  const each = (streams: Streams, what: string, test: (events: Stream) => Promise<void>): void => {
    for (const [name, events] of Object.entries(streams)) it(`${name} ${what}`, () => test(events));
  };

  each(goes, 'goes: its documents, then its events', async events => {
    const { store, applyAfter, documents } = await record(events);
    try {
      const before = await documents();
      expect(await applyAfter(days - 0.001)).toHaveLength(events.length);
      expect(await documents()).toEqual(before);

      const removed = await applyAfter(days);
      expect(removed.length).toBeLessThanOrEqual(1);
      expect(removed.every(event => retention.hasNoDocument(event))).toBe(true);
      expect(await documents()).toEqual([]);

      expect(await applyAfter(2 * days - 0.001)).toEqual(removed);
      expect(await applyAfter(2 * days)).toEqual([]);
      expect(await documents()).toEqual([]);
    } finally {
      await store.close();
    }
  });

  each(stays, 'stays', async events => {
    const { store, applyAfter, documents } = await record(events);
    try {
      const before = await documents();
      expect(await applyAfter(100 * days)).toHaveLength(events.length);
      expect(await documents()).toEqual(before);
    } finally {
      await store.close();
    }
  });

  each(lastStays, 'goes but for its last event, and its documents stay', async events => {
    const { store, applyAfter, documents } = await record(events);
    try {
      const before = await documents();
      expect(await applyAfter(days - 0.001)).toHaveLength(events.length);
      const left = await applyAfter(days);
      expect(left.map(({ revision }) => revision)).toEqual([events.length - 1]);
      expect(await documents()).toEqual(before);
      expect(await applyAfter(100 * days)).toEqual(left);
      expect(await documents()).toEqual(before);
    } finally {
      await store.close();
    }
  });
}
