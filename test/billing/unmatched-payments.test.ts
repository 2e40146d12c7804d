import { join } from 'node:path';
import fc from 'fast-check';
import { SOLANA_TOPICS } from '../../indexers/solana/indexer';
import { TON_TOPICS } from '../../indexers/ton/indexer';
import { UNMATCHED_PAYMENT_CATEGORY } from '../../contracts/events/unmatched-payment';
import type { EventStore } from '../../contracts/ports/event-store';
import { openEmbeddedEngines, type Engines } from '../../infra/engines/engines';
import {
  UNMATCHED_FEE_PAYMENTS,
  unmatchedPaymentReaction,
} from '../../services/billing/payments/unmatched/reaction';
import { FEE_PAYMENTS } from '../../services/billing/payments/reaction';
import { reactionStatus } from '../../services/reactions/event-reaction';
import { temporaryFolder } from '../temporary-folder';
import { until } from '../until';
import { startTestProgram, type TestProgram } from '../program';
import { runs } from '../random';
import { feePaymentFeatures, feePaymentsOf, type FeePayments } from './fee-payments';

const ADDRESS = `0:${'5a'.repeat(32)}`;
const WAYS = [{ chain: 'ton', network: 'mainnet', address: ADDRESS, asset: 'native' }];

let folder: string;
let lives: number;
/** The event store is kept across restarts; jobs and documents are new each time. */
let ledger: Engines;
let store: EventStore;
let program: TestProgram;
let fees: FeePayments;
let sent: number;
beforeEach(async () => {
  folder = temporaryFolder();
  [lives, sent] = [0, 0];
  ledger = openEmbeddedEngines({ DATA_DIR: join(folder, 'ledger') });
  ({ store } = ledger);
  await start();
});
afterEach(async () => {
  await program.stop();
  await ledger.close();
});

const openProgram = (): Promise<TestProgram> => {
  const { features, settings } = feePaymentFeatures(WAYS);
  return startTestProgram({
    features: [...features, { name: 'chains', topics: [...TON_TOPICS, ...SOLANA_TOPICS] }],
    roles: ['jobs'],
    // Watched, but never asked.
    settings: { ...settings, TON_RPC_URL_MAINNET: 'http://127.0.0.1:9' },
    folder: join(folder, `life-${lives}`),
    open: async config => ({ ...openEmbeddedEngines(config), store }),
  });
};
async function start(): Promise<void> {
  program = await openProgram();
  fees = await feePaymentsOf(program.deps);
}
const enginesOf = () => program.deps.engines;

/** A payment in TON; one with the same transaction is a repetition. */
const pay = (memo: string, coins: number, transaction = `transaction-${sent++}`) =>
  enginesOf().jobs.add({
    queue: FEE_PAYMENTS,
    id: `${transaction}/${sent++}`,
    data: {
      chain: 'ton',
      account: `ton:mainnet:${ADDRESS}`,
      transaction,
      asset: 'native',
      amount: `${coins}000000000`,
      memo,
    },
  });

const areJobsDone = async (queue: string): Promise<boolean> => {
  const { waiting, running } = await enginesOf().jobs.counts(queue);
  return waiting + running === 0;
};
/** Whether the reaction has handled every recorded fee. */
const asked = async (): Promise<boolean> =>
  (await reactionStatus(enginesOf(), unmatchedPaymentReaction(store))).lag === 0 &&
  (await areJobsDone(UNMATCHED_FEE_PAYMENTS));
const idle = (): Promise<boolean> => until(async () => (await asked()) && (await areJobsDone(FEE_PAYMENTS)));

async function recorded(category: string): Promise<{ type: string; stream: string }[]> {
  const events: { type: string; stream: string }[] = [];
  for await (const page of ledger.store.readAll({ categories: [category] })) events.push(...page);
  return events;
}

it('in any order of payment and fee, a fee is collected once, by a payment that covers it', async () => {
  const fee = fc.integer({ min: 0, max: 3 }).map(n => `fee-${n}`);
  const step = fc.oneof(
    { weight: 6, arbitrary: fc.record({ paid: fee, coins: fc.constantFrom(1, 2, 3) }) },
    { weight: 4, arbitrary: fc.record({ owed: fee }) },
    { weight: 2, arbitrary: fc.record({ toldAgain: fc.nat(20) }) },
    { weight: 1, arbitrary: fc.constant('settled' as const) },
    { weight: 1, arbitrary: fc.constant('restarted' as const) },
    { weight: 1, arbitrary: fc.constant('forgotten' as const) },
  );
  let run = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 14 }), async steps => {
      const own = (id: string): string => `${id}-${run}`;
      run++;
      const owed = new Set<string>();
      const covered = new Set<string>();
      const payments: Parameters<typeof pay>[] = [];
      for (const each of steps) {
        if (each === 'settled') await idle();
        else if (each === 'restarted') {
          await program.stop();
          await start();
        } else if (each === 'forgotten') {
          await idle();
          await program.stop();
          lives++;
          await start();
        } else if ('paid' in each) {
          const payment = [own(each.paid), each.coins, `paid-${run}-${payments.length}`] as const;
          payments.push([...payment]);
          if (each.coins >= 2) covered.add(own(each.paid));
          await pay(...payment);
        } else if ('toldAgain' in each) {
          const payment = payments[each.toldAgain % Math.max(1, payments.length)];
          if (payment) await pay(...payment);
        } else if (!owed.has(own(each.owed))) {
          owed.add(own(each.owed));
          await fees.owe(own(each.owed), '2');
        }
      }
      await idle();
      for (const id of new Set([...owed, ...covered])) {
        const expected = owed.has(id) ? (covered.has(id) ? 'collected' : 'pending') : undefined;
        expect([id, await fees.status(id)]).toEqual([id, expected]);
      }
      const collected = (await recorded('fee')).filter(({ type }) => type === 'FeeCollected');
      expect(new Set(collected.map(({ stream }) => stream)).size).toBe(collected.length);
    }),
    runs(8),
  );
});

it('a fee recorded and checked just before the unmatched payment is recorded is collected too', async () => {
  await program.stop();
  const { append: appendTo } = store;
  const append: typeof appendTo = async (stream, ...more) => {
    if (stream.startsWith(UNMATCHED_PAYMENT_CATEGORY)) {
      await fees.owe('between', '2');
      await until(asked);
    }
    return appendTo(stream, ...more);
  };
  store = { ...store, append };
  await start();
  await pay('between', 2);
  await idle();
  expect(await fees.status('between')).toBe('collected');
});

it('no payment is lost between two programs when payments and fees are concurrent', async () => {
  const another = await openProgram();
  const ids = Array.from({ length: 40 }, (_, n) => `at-once-${n}`);
  await Promise.all(ids.flatMap(id => [pay(id, 2), fees.owe(id, '2')]));
  await idle();
  expect(new Set(await Promise.all(ids.map(fees.status)))).toEqual(new Set(['collected']));
  await another.stop();
});

it('a payment delivered ten times is recorded once, and its memo is not in the store', async () => {
  for (let n = 0; n < 10; n++) await pay('from-Ann-with-love', 2, 'one-and-the-same');
  await idle();
  const notes = await recorded(UNMATCHED_PAYMENT_CATEGORY);
  expect(notes).toHaveLength(1);
  expect(JSON.stringify(notes)).not.toContain('Ann');
});

it('a payment whose memo cannot be the id of a fee is not recorded', async () => {
  await pay('thank you, dear friends', 2);
  await pay('fee-1~reversal', 2);
  await idle();
  expect(await recorded(UNMATCHED_PAYMENT_CATEGORY)).toEqual([]);
});

it('a fee that was waived meanwhile stays waived', async () => {
  await pay('waived', 2);
  await idle();
  await program.stop();
  await fees.owe('waived', '2');
  await fees.waive('waived');
  await start();
  await idle();
  expect(await fees.status('waived')).toBe('waived');
});
