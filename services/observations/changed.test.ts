import pino from 'pino';
import { z } from 'zod';
import { defineObservation, type Observation } from '../../contracts/observation/observation';
import type { Observed } from '../../contracts/observation/reader';
import type { CollectionSpec, Document, Documents } from '../../contracts/ports/documents';
import { openSqliteDocuments } from '../../infra/engines/documents/sqlite/sqlite-documents';
import { observationProjection } from '../../projections/observations/projection';
import type { Views } from '../../projections/views';
import { openRecordedJobs } from '../../test/doubles/jobs';
import { until } from '../../test/until';
import { createChanges, workChanges, type ChangedReader } from './changed';

const POOL = '0:pool';
const ELECTOR = '-1:elector';
type Subject = { readonly network: 'mainnet' | 'testnet'; readonly owner: string };

const shared = {
  subject: {
    format: ({ network, owner }: Subject) => `${network}/${owner}`,
    parse(text: string): Subject {
      const [network = '', owner = ''] = text.split('/');
      return { network: network as 'mainnet', owner };
    },
  },
  schema: z.object({}),
  source: {
    name: 'nodes',
    chainOf: ({ network }: Subject) => ({ chain: 'ton', network }) as const,
  },
  minAgeMs: 1_000,
  staleAfterMs: 30_000,
  ages: false,
  read: async () => ({ height: 1, data: {} }),
};
const pool = defineObservation({
  ...shared,
  kind: 'pool',
  changedBy: { accountOf: network => ({ address: POOL, subject: { network, owner: 'all' } }) },
});
const status = defineObservation({
  ...shared,
  kind: 'status',
  changedBy: {
    accountOf: network => ({ address: ELECTOR, subject: { network, owner: 'all' }, ticks: true }),
  },
});
const member = defineObservation({ ...shared, kind: 'member', changedBy: { field: 'wallet' } });
const share = defineObservation({
  ...shared,
  kind: 'share',
  changedBy: {
    subjectsOf: ({ network, from, to }) => [
      { network, owner: `${from} in ${to}` },
      { network, owner: `${to} in ${from}` },
    ],
  },
});

/** Members by their wallets. */
const STORED: readonly Document[] = [
  { _id: 'mainnet/alice', data: { wallet: '0:a' } },
  { _id: 'testnet/alice', data: { wallet: '0:a' } },
  { _id: 'mainnet/bob', data: { wallet: '0:b' } },
];
/** Accounts that are known to have a share of what others have. */
const SHARES = ['mainnet/alice in pool', 'mainnet/bob in pool', 'testnet/carol in pool'];

const block = (seqno: number, ...accounts: readonly string[]) => {
  const transactions = new Map<string, number>();
  for (const account of accounts) transactions.set(account, (transactions.get(account) ?? 0) + 1);
  return { seqno, transactions, received: [] };
};
const received = (seqno: number, ...messages: readonly (readonly [from: string, to: string])[]) => ({
  ...block(seqno),
  received: messages.map(([from, to]) => ({ from, to })),
});

async function fill(
  documents: Documents,
  observation: typeof member | typeof share,
  stored: readonly Document[],
): Promise<void> {
  const { collections } = observationProjection(observation);
  await documents.declare(collections);
  const [{ name: collection }] = collections as [CollectionSpec];
  await documents.commit({ writes: stored.map(document => ({ collection, id: document._id, document })) });
}

const opened: Documents[] = [];
afterEach(async () => void (await Promise.all(opened.splice(0).map(documents => documents.close()))));

/** A clock that stands still until it is moved, and the jobs that were added. */
function fixture(stored: readonly Document[] = STORED) {
  const clock = { now: 10_300 };
  const jobs = openRecordedJobs({ maxDelayMs: 0 });
  const documents = openSqliteDocuments({ path: ':memory:' });
  opened.push(documents);
  const shares = SHARES.map(_id => ({ _id }));
  const filled = Promise.all([fill(documents, member, stored), fill(documents, share, shares)]);
  const views: Pick<Views, 'find' | 'getMany'> = {
    async find(collection, query) {
      await filled;
      return documents.find(collection, query);
    },
    async getMany(collection, ids) {
      await filled;
      return documents.getMany(collection, ids);
    },
  };
  const changes = createChanges({
    network: 'mainnet',
    observations: [pool, status, member, share] as unknown as readonly Observation[],
    views,
    jobs,
    logger: pino({ level: 'silent' }),
    now: () => clock.now,
  });
  return { clock, jobs, changes, added: () => jobs.added.map(({ data }) => data) };
}

test('a block changes the subjects of its accounts, on its network alone', async () => {
  const { jobs, changes, added } = fixture();
  await changes([block(7, '0:a', '0:c', POOL)]);
  expect(added()).toEqual([
    { kind: 'pool', subject: 'mainnet/all', seqno: 7, after: 11_000 },
    { kind: 'member', subject: 'mainnet/alice', seqno: 7, after: 11_000 },
  ]);
  expect(jobs.added.map(({ delayMs }) => delayMs)).toEqual([700, 700]);
  await jobs.close();
});

test('a block of many accounts changes the subjects of all of them', async () => {
  const many = Array.from({ length: 1_200 }, (_, n) => `0:${n}`);
  const known = [0, 99, 100, 1_199];
  const { jobs, changes, added } = fixture(
    known.map(n => ({ _id: `mainnet/${n}`, data: { wallet: `0:${n}` } })),
  );
  await changes([block(7, ...many)]);
  expect(added().map(({ subject }) => subject)).toEqual(known.map(n => `mainnet/${n}`));
  await jobs.close();
});

test('one that changes in every block is read once in its minimum age', async () => {
  const { clock, jobs, changes, added } = fixture();
  for (let seqno = 1; seqno <= 50; seqno++) {
    await changes([block(seqno, POOL)]);
    clock.now += 60;
  }
  // Three seconds, and once more after them.
  expect(added()).toHaveLength(5);
  await jobs.close();
});

test('an account that is called in every block changes its subject where it has more than that', async () => {
  const { jobs, changes, added } = fixture();
  for (const seqno of [1, 2]) await changes([block(seqno, ELECTOR)]);
  expect(added()).toEqual([]);
  await changes([block(3, ELECTOR), block(4, ELECTOR, ELECTOR), block(5, ELECTOR)]);
  expect(added()).toMatchObject([{ kind: 'status', seqno: 4 }]);
  await jobs.close();
});

test('a message changes the known subjects of the two that it is between, once for all blocks of a moment', async () => {
  const { jobs, changes, added } = fixture();
  await changes([
    received(7, ['pool', 'alice'], ['pool', 'carol'], ['pool', 'shop'], ['alice', 'shop']),
    received(8, ['pool', 'alice'], ['shop', 'pool']),
    received(9, ['bob', 'pool']),
  ]);
  expect(added()).toEqual([
    { kind: 'share', subject: 'mainnet/alice in pool', seqno: 8, after: 11_000 },
    { kind: 'share', subject: 'mainnet/bob in pool', seqno: 9, after: 11_000 },
  ]);
  await jobs.close();
});

test('the blocks go on while nothing can be requested', async () => {
  const { jobs, changes } = fixture();
  jobs.failAfter = 0;
  await changes([block(7, POOL)]);
  await changes([block(8, POOL)]);
  expect(jobs.added).toMatchObject([{ data: { seqno: 8 } }]);
  await jobs.close();
});

describe('what has changed', () => {
  /** Does all jobs with a reader of the pool. */
  async function workAll(
    { jobs, clock }: Pick<ReturnType<typeof fixture>, 'jobs' | 'clock'>,
    reader: ChangedReader['reader'],
  ): Promise<void> {
    const stop = new AbortController();
    const readers = new Map([['pool', { observation: pool as unknown as Observation, reader }]]);
    const work = workChanges({ jobs, readers, now: () => clock.now }, stop.signal);
    await until(async () => {
      const { waiting, running } = await jobs.counts('changed-observations');
      return waiting + running === 0;
    });
    stop.abort();
    await work;
    await jobs.close();
  }

  /** Runs what is added over a reader. @param reading what there is of the pool before */
  async function run(reading: Observed<object> | null, lateMs = 0) {
    const { clock, jobs, changes } = fixture();
    const known = reading;
    const [asked, isEnough]: [string[], boolean[]] = [[], []];
    const reader = {
      find: async () => known,
      async readDerived(
        _subject: unknown,
        { isCurrent }: { isCurrent: (read: Observed<object>) => boolean },
      ) {
        asked.push('pool');
        for (const [at, height] of [
          [10_999, 7],
          [11_000, 6],
          [11_000, 7],
        ] as const)
          isEnough.push(isCurrent({ at: new Date(at).toISOString(), height, data: {} }));
        return known;
      },
    } as unknown as ChangedReader['reader'];
    await changes([block(7, POOL)]);
    clock.now += lateMs;
    await workAll({ jobs, clock }, reader);
    return { asked, isEnough };
  }
  const KNOWN = { at: new Date(10_000).toISOString(), height: 5, data: {} };

  it('is read again as of the block, and after the last of its changes', async () => {
    expect(await run(KNOWN)).toEqual({ asked: ['pool'], isEnough: [false, false, true] });
  });

  it('is read again as of a later block, too, where the first reading may be of an earlier one', async () => {
    const { clock, jobs, changes } = fixture();
    const found: ((read: Observed<object>) => boolean)[] = [];
    const reader = {
      find: async () => KNOWN,
      async readDerived(_subject: unknown, { isCurrent }: { isCurrent: (typeof found)[number] }) {
        found.push(isCurrent);
        return KNOWN;
      },
    } as unknown as ChangedReader['reader'];
    await changes([block(7, POOL)]);
    clock.now += 500;
    await changes([block(8, POOL)]);
    await workAll({ jobs, clock }, reader);
    const isEnough = (height: number) =>
      found.every(isCurrent => isCurrent({ at: new Date(20_000).toISOString(), height, data: {} }));
    expect([isEnough(7), isEnough(8)]).toEqual([false, true]);
  });

  it('is not read where nobody has read it before', async () => {
    expect((await run(null)).asked).toEqual([]);
  });

  it('is not read once it is stale: its next reader has it refreshed', async () => {
    expect((await run(KNOWN, 60_000)).asked).toEqual([]);
  });
});
