import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Document } from '../../contracts/ports/documents';
import { openSqliteDocuments } from '../../infra/engines/documents/sqlite/sqlite-documents';
import { openSqliteEventStore } from '../../infra/engines/event-store/sqlite/sqlite-event-store';
import { openSqliteJobs } from '../../infra/engines/jobs/sqlite/sqlite-jobs';
import { openSqliteLog } from '../../infra/engines/log/sqlite/sqlite-log';
import { openSqliteMailbox } from '../../infra/engines/mailbox/sqlite/sqlite-mailbox';

/** The files that are damaged; each holds one engine. */
export const FILES = [
  'events.sqlite',
  'log.sqlite',
  'documents.sqlite',
  'jobs.sqlite',
  'mailbox.sqlite',
] as const;
export type DatabaseFile = (typeof FILES)[number];

const CATEGORIES = ['fee', 'invoice', 'watch'];
const STREAMS = 12;
const EVENTS = 120;
const PARTITIONS = 2;
const COLLECTION = {
  name: 'people',
  indexes: [{ fields: [['town', 'asc'] as const, ['age', 'desc'] as const] }],
};
const TOWNS = ['Köln', 'Paris', 'Zürich'];
export const CHECKPOINT = { name: 'people@1', value: { position: 119 } };

const uuid = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const stream = (n: number): string => `${CATEGORIES[n % 3]!}-${n}`;
const person = (n: number): Document => ({
  _id: `p${n}`,
  town: TOWNS[n % 3]!,
  age: n,
  note: 'ö'.repeat(n % 90),
});

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}

/** Fills all engines in a folder with the same content each time. */
export async function fill(folder: string): Promise<void> {
  const store = openSqliteEventStore({
    path: join(folder, 'events.sqlite'),
    clock: () => new Date(1_700_000_000_000),
  });
  for (let n = 0; n < EVENTS; n++) {
    const data = { n, amount: `${n}.50`, text: 'é'.repeat(n) };
    await store.append(stream(n % STREAMS), 'any', [
      { id: uuid(n), type: 'Happened', data, metadata: { v: 1 } },
    ]);
  }
  await store.close();

  const log = openSqliteLog({ path: join(folder, 'log.sqlite'), clock: () => new Date(1_700_000_000_000) });
  await log.declare([{ name: 'blocks', partitions: PARTITIONS, cleanup: 'delete' }]);
  for (let n = 0; n < EVENTS; n++)
    await log.publish('blocks', [
      { key: `k${n % 7}`, value: Buffer.alloc(n * 2, n), headers: { n: `ü${n}` } },
    ]);
  await log.close();

  const documents = openSqliteDocuments({ path: join(folder, 'documents.sqlite') });
  await documents.declare([COLLECTION]);
  const writes = Array.from({ length: EVENTS }, (_, n) => ({
    collection: COLLECTION.name,
    id: `p${n}`,
    document: person(n),
  }));
  await documents.commit({ writes, checkpoint: CHECKPOINT });
  await documents.close();

  const jobs = openSqliteJobs({ path: join(folder, 'jobs.sqlite'), clock: () => 1_700_000_000_000 });
  for (let n = 0; n < EVENTS; n++) await jobs.add({ queue: 'mail', id: `j${n}`, data: { n, to: `ä${n}` } });
  await jobs.close();

  const mailbox = openSqliteMailbox({ path: join(folder, 'mailbox.sqlite'), clock: () => 1_700_000_000_000 });
  for (let n = 0; n < EVENTS; n++)
    await mailbox.post({ from: 'ann', to: 'bob', body: `b${n}`, headers: { n: `å${n}` }, ttlMs: 3_600_000 });
  await mailbox.close();
}

/** Reads of each engine, by name. Each opens the file itself, so that a start on a damaged file is tried too. */
export const READS: Readonly<
  Record<DatabaseFile, Readonly<Record<string, (path: string) => Promise<unknown>>>>
> = {
  'events.sqlite': {
    all: path => withEngine(openSqliteEventStore({ path }), store => all(store.readAll())),
    backwards: path =>
      withEngine(openSqliteEventStore({ path }), store => all(store.readAll({ direction: 'backwards' }))),
    head: path => withEngine(openSqliteEventStore({ path }), store => store.head()),
    ...Object.fromEntries(
      CATEGORIES.map(category => [
        category,
        (path: string) =>
          withEngine(openSqliteEventStore({ path }), store => all(store.readAll({ categories: [category] }))),
      ]),
    ),
    streams: path =>
      withEngine(openSqliteEventStore({ path }), store =>
        Promise.all(Array.from({ length: STREAMS }, (_, n) => all(store.readStream(stream(n))))),
      ),
  },
  'log.sqlite': {
    ends: path => withEngine(openSqliteLog({ path }), log => log.endOffsets('blocks')),
    messages: path =>
      withEngine(openSqliteLog({ path }), log =>
        Promise.all(
          Array.from({ length: PARTITIONS }, (_, partition) =>
            all(log.read({ topic: 'blocks', partition, from: 0, follow: false })),
          ),
        ),
      ),
  },
  'documents.sqlite': {
    scan: path =>
      withEngine(openSqliteDocuments({ path }), documents =>
        all(documents.scan(COLLECTION.name, { limit: 50 })),
      ),
    byTown: path =>
      withEngine(openSqliteDocuments({ path }), documents =>
        documents.find(COLLECTION.name, { filter: { town: 'Köln' }, order: [['age', 'desc']], limit: 100 }),
      ),
    byId: path =>
      withEngine(openSqliteDocuments({ path }), async documents => {
        const ids = Array.from({ length: EVENTS }, (_, n) => `p${n}`);
        const many = await documents.getMany(COLLECTION.name, ids);
        return [
          await Promise.all(ids.map(id => documents.get(COLLECTION.name, id))),
          ids.map(id => many.get(id)),
        ];
      }),
    checkpoint: path =>
      withEngine(openSqliteDocuments({ path }), documents => documents.checkpoint(CHECKPOINT.name)),
  },
  'jobs.sqlite': {
    work: path =>
      withEngine(openSqliteJobs({ path }), async jobs => {
        const done: unknown[] = [];
        const stop = new AbortController();
        // A number of turns and not a time, in which a busy machine may not have run one job.
        const wait = async (): Promise<void> => {
          for (let turns = 0; turns < 20 && done.length < EVENTS; turns++) await sleep(2);
          stop.abort();
        };
        const work = jobs.work(
          { queue: 'mail', concurrency: EVENTS, signal: stop.signal },
          async ({ id, data }) => void done.push([id, data]),
        );
        await Promise.all([work, wait()]);
        return done;
      }),
    failures: path => withEngine(openSqliteJobs({ path }), jobs => jobs.failures('mail', 10)),
  },
  'mailbox.sqlite': {
    read: path =>
      withEngine(openSqliteMailbox({ path, clock: () => 1_700_000_000_000 }), async mailbox =>
        (await mailbox.read({ to: ['bob'], after: 0, limit: 200 })).map(({ from, to, body, headers }) => ({
          from,
          to,
          body,
          headers,
        })),
      ),
  },
};

async function withEngine<Engine extends { close(): Promise<void> }, Result>(
  engine: Engine,
  read: (engine: Engine) => Promise<Result>,
): Promise<Result> {
  try {
    return await read(engine);
  } finally {
    await engine.close();
  }
}
