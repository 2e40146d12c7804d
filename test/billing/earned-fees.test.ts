import { join } from 'node:path';
import { pino } from 'pino';
import type { Jobs } from '../../contracts/ports/jobs';
import { openSqliteDocuments } from '../../infra/engines/documents/sqlite/sqlite-documents';
import { openSqliteJobs } from '../../infra/engines/jobs/sqlite/sqlite-jobs';
import { earnedFeeId } from '../../services/billing/earned/earned-fee';
import { EARNED_FEES, earnedFees } from '../../services/billing/earned/reaction';
import { workEarnedFees } from '../../services/billing/earned/worker';
import { reactionStatus, runReaction } from '../../services/reactions/event-reaction';
import { exchangeDouble, finishOrder } from '../doubles/earning-business';
import { temporaryFolder } from '../temporary-folder';
import { until } from '../until';
import { openInstance, type TestInstance } from './instance';

const logger = pino({ level: 'silent' });
const reaction = earnedFees(exchangeDouble);

let folder: string;
let instance: TestInstance;
let jobs: Jobs;
let documents: ReturnType<typeof openSqliteDocuments>;
let stopped: AbortController;
let running: Promise<unknown>;

beforeEach(async () => {
  folder = temporaryFolder();
  instance = await openInstance();
  jobs = openSqliteJobs({ path: join(folder, 'jobs.db') });
  documents = openSqliteDocuments({ path: join(folder, 'documents.db') });
  start();
});
afterEach(async () => {
  await stop();
  await instance.close();
  await jobs.close();
  await documents.close();
});

function start(): void {
  stopped = new AbortController();
  const { signal } = stopped;
  running = Promise.all([
    runReaction({ store: instance.store, documents, jobs, logger }, reaction, signal),
    workEarnedFees({ ...instance.deps, jobs, logger }, signal),
  ]);
}
const stop = async () => {
  stopped.abort();
  await running;
};

const done = async () => {
  const { lag } = await reactionStatus({ store: instance.store, documents }, reaction);
  const { waiting, running: inHand } = await jobs.counts(EARNED_FEES);
  return lag === 0 && waiting + inHand === 0;
};
const ledger = async () => (await instance.act({ action: 'list_fee_ledger' })).body;

it('a finished order becomes a pending fee of its merchant, in the month in which it was earned', async () => {
  await finishOrder(instance.store, 'order-1');
  await until(done);
  expect(await ledger()).toMatchObject({
    total: 1,
    rows: [
      {
        id: earnedFeeId({ source: 'exchange', reference: 'order-1' }),
        fee_type: 'swap',
        collection_status: 'pending',
        fee_amount: '0.50',
        gross_amount: '100.00',
        billing_period: '2026-11',
        created_at: '2026-11-20T12:00:00.000Z',
        merchant_id: 'm-7',
        merchant_name: 'Partner & Co',
        merchant_slug: 'partner',
      },
    ],
  });
});

it('a repeated order, also after a restart and after it was collected, stays one fee', async () => {
  await finishOrder(instance.store, 'order-1');
  await until(done);
  const id = earnedFeeId({ source: 'exchange', reference: 'order-1' });
  await instance.record([{ id, action: 'collect' }]);
  await stop();
  await documents.close();
  // Without its checkpoint the reaction starts again; without stored ids the jobs run again.
  documents = openSqliteDocuments({ path: join(folder, 'new-documents.db') });
  await jobs.close();
  jobs = openSqliteJobs({ path: join(folder, 'new-jobs.db') });
  await finishOrder(instance.store, 'order-1');
  start();
  await until(done);
  expect(await ledger()).toMatchObject({ total: 1, rows: [{ id, collection_status: 'collected' }] });
});

it('references are distinguished, also by source', () => {
  const ids = (['exchange', 'gasless'] as const).flatMap(source =>
    ['a', 'b'].map(reference => earnedFeeId({ source, reference })),
  );
  expect(new Set(ids).size).toBe(4);
  // Ledgers have these ids: they must not change.
  expect(ids[0]).toBe('exchange-ca16cc90-4e8c-590f-aefa-58567d5b0960');
});

it('a refused fee becomes a failed job, and does not delay others', async () => {
  await finishOrder(instance.store, 'broken', { fee_amount: 'a lot' });
  await finishOrder(instance.store, 'order-2');
  await until(async () => (await ledger()).total === 1);
  expect((await ledger()).rows[0].id).toBe(earnedFeeId({ source: 'exchange', reference: 'order-2' }));
  expect((await jobs.counts(EARNED_FEES)).waiting).toBe(1);
});
