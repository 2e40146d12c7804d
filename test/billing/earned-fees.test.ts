import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { earnedFeeId } from '../../services/billing/earned/earned-fee';
import { EARNED_FEES, earnedFees } from '../../services/billing/earned/reaction';
import { reactionStatus } from '../../services/reactions/event-reaction';
import { exchangeDouble, finishOrder } from '../doubles/earning-business';
import { temporaryFolder } from '../temporary-folder';
import { until } from '../until';
import { openInstance, type TestInstance } from './instance';

const reaction = earnedFees(exchangeDouble);
const exchange = { name: 'exchange-double', reactions: () => [reaction] };

let folder: string;
let instance: TestInstance;
async function start(): Promise<void> {
  instance = await openInstance({
    features: [exchange],
    roles: ['api', 'projections', 'jobs'],
    folder,
  });
}
beforeEach(() => {
  folder = temporaryFolder();
  return start();
});
afterEach(() => instance.close());

const done = async () => {
  const { lag } = await reactionStatus(instance.engines, reaction);
  const { waiting, running } = await instance.engines.jobs.counts(EARNED_FEES);
  return lag === 0 && waiting + running === 0;
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
  await instance.close();
  // Without its checkpoint the reaction starts again; without stored ids the jobs run again.
  for (const name of readdirSync(folder))
    if (/^(documents|jobs)\.sqlite/.test(name)) rmSync(join(folder, name));
  await start();
  await finishOrder(instance.store, 'order-1');
  await until(done);
  expect(await ledger()).toMatchObject({ total: 1, rows: [{ id, collection_status: 'collected' }] });
});

it('a collected fee that was not earned is reversed, whichever is known first', async () => {
  const id = earnedFeeId({ source: 'staking', reference: 'round-1' });
  for (const status of ['reversed', 'collected', 'reversed'] as const) {
    await finishOrder(instance.store, 'round-1', { source: 'staking', status });
    await until(done);
  }
  expect(await ledger()).toMatchObject({ total: 1, rows: [{ id, collection_status: 'reversed' }] });
});

it.each([
  ['waived', false],
  ['reversed', true],
])('a pending fee that was not earned is %s, whichever is known first', async (expected, isCollected) => {
  const id = earnedFeeId({ source: 'card', reference: 'purchase-1' });
  for (const status of ['waived', 'pending', 'waived'] as const) {
    if (isCollected) {
      await finishOrder(instance.store, 'purchase-1', { source: 'card' });
      await until(done);
      await instance.record([{ id, action: 'collect' }]);
    }
    await finishOrder(instance.store, 'purchase-1', { source: 'card', status });
    await until(done);
  }
  expect(await ledger()).toMatchObject({ total: 1, rows: [{ id, collection_status: expected }] });
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
  expect((await instance.engines.jobs.counts(EARNED_FEES)).waiting).toBe(1);
});
