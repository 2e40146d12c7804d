import { GASLESS_SEND_CATEGORY, gaslessSendStream } from '../../../contracts/events/gasless-send';
import { feeStream } from '../../../contracts/events/fee';
import { createCalendar } from '../../../contracts/time/calendar';
import type { Job, Jobs } from '../../../contracts/ports/jobs';
import type { RecordedEvent } from '../../../contracts/ports/event-store';
import { InMemoryEventStore } from '../../../test/doubles/event-store';
import { silent } from '../../../test/devnet/ton';
import { earnedFees } from '../../billing/earned/reaction';
import { workEarnedFees } from '../../billing/earned/worker';
import { feeKind } from '../../billing/fee/decider';
import { createHandle } from '../../commands/handle';
import { load } from '../../commands/load';
import { gaslessSendKind, type GaslessSendCommand } from '../send/decider';
import { gaslessCommissions, gaslessEarnings } from './jobs';
import { workGaslessCommissions } from './worker';

const metadata = { now: '', actor: 'gasless' };
const [WALLET, RELAY] = [`0:${'1'.repeat(64)}`, `0:${'2'.repeat(64)}`];
const BODY = 'b'.repeat(64);

let store: InMemoryEventStore;
let price: string | null;
beforeEach(() => {
  store = new InMemoryEventStore();
  price = '3.25';
  metadata.now = '2026-11-28T12:00:00.000Z';
});

async function given(network: 'mainnet' | 'testnet', ...commands: readonly object[]): Promise<void> {
  const stream = gaslessSendStream({ network, wallet: WALLET, seqno: 3 });
  for (const command of commands) {
    const after = (await load(store, gaslessSendKind, stream))?.observations;
    const whole = { bodyHash: BODY, messageHash: 'm', after, ...command, metadata } as GaslessSendCommand;
    await createHandle({ store })(gaslessSendKind, stream, whole);
  }
}
const accept = (network: 'mainnet' | 'testnet') => ({
  type: 'accept',
  request: {
    network,
    wallet: WALLET,
    seqno: 3,
    bodyHash: BODY,
    carrierHash: 'c',
    hashes: [],
    quoteKey: 'q',
    source: 's',
    relay: RELAY,
    master: 'm',
    destination: 'd',
    amount: '1',
    commission: '340000',
    attached: '3',
    loss: '4',
    rate: { units: '3000000', nanotons: '1000000000' },
    body: 'AAAA',
    init: null,
    validUntil: 5,
  },
});
const relayed = { type: 'recordRelayed', relaySeqno: 1, messageHash: 'm' };
const confirmed = { type: 'recordConfirmed', transaction: { lt: '7', hash: 'h' } };
const bounced = { type: 'recordBounced', exitCode: 133 };
const unsent = { type: 'recordUnsent', messageHash: 'm' };

async function all(): Promise<RecordedEvent[]> {
  const found: RecordedEvent[] = [];
  for await (const events of store.readAll({ categories: [GASLESS_SEND_CATEGORY] })) found.push(...events);
  return found;
}

/** Runs the jobs of all events, as after a loss of the job engine. @returns how many have failed */
async function runJobs(): Promise<number> {
  let failed = 0;
  const jobs: Pick<Jobs, 'work'> = {
    async work(_, handle) {
      for (const recorded of await all())
        for (const job of await gaslessCommissions.jobs(recorded))
          await handle({ ...job, attempt: 1 } as unknown as Job).catch(() => (failed += 1));
    },
  };
  const tonPrice = () => Promise.resolve(price);
  const handle = createHandle({ store });
  const deps = { store, handle, jobs, tonPrice, clock: () => new Date(metadata.now) };
  await workGaslessCommissions(deps, new AbortController().signal);
  return failed;
}

/** What billing is told, in order. */
async function fees() {
  const { jobs } = earnedFees(gaslessEarnings);
  const told = await Promise.all((await all()).map(async recorded => jobs(recorded)));
  return told.flat().map(({ id, data }) => [id, data as { fee_amount: string; status: string }] as const);
}

it('a confirmed transfer earns its commission once, with the relay wallet as the merchant', async () => {
  await given('mainnet', accept('mainnet'), relayed, confirmed);
  await runJobs();
  await runJobs();
  expect((await fees()).map(([, fee]) => fee)).toMatchObject([
    { fee_type: 'gasless', fee_amount: '0.368333', gross_amount: '0.368333', status: 'collected' },
  ]);
});

it('what a fork takes back is reversed, and earned again, as another fee, when it is on the chain again', async () => {
  await given('mainnet', accept('mainnet'), relayed, confirmed);
  await runJobs();
  await given('mainnet', unsent, relayed, confirmed);
  await runJobs();
  const told = await fees();
  expect(told.map(([, { status }]) => status)).toEqual(['collected', 'reversed', 'collected']);
  const [first, reversed, second] = told.map(([id]) => id);
  expect(reversed).toBe(`${first}/reversed`);
  expect(second).not.toBe(first);
});

it('what a fork has changed while the message of the relay wallet stays is reversed, and earned again', async () => {
  await given('mainnet', accept('mainnet'), relayed, confirmed);
  await runJobs();
  await given('mainnet', bounced);
  await runJobs();
  expect((await fees()).map(([, { status }]) => status)).toEqual(['collected', 'reversed']);
  await given('mainnet', confirmed);
  await runJobs();
  const told = await fees();
  expect(told.map(([, { status }]) => status)).toEqual(['collected', 'reversed', 'collected']);
  expect(new Set(told.map(([id]) => id)).size).toBe(3);
});

it('waits while no price of TON is known, and is valued by the one that comes', async () => {
  await given('mainnet', accept('mainnet'), relayed, confirmed);
  price = null;
  expect(await runJobs()).toBe(1);
  expect(await fees()).toEqual([]);
  price = '1';
  expect(await runJobs()).toBe(0);
  expect((await fees()).map(([, fee]) => fee.fee_amount)).toEqual(['0.113333']);
});

it('nothing is earned on the test network, nor before a transfer is confirmed', async () => {
  await given('testnet', accept('testnet'), relayed, confirmed);
  await given('mainnet', accept('mainnet'), relayed);
  await runJobs();
  expect(await fees()).toEqual([]);
});

it('what is reversed is the fee that was earned, whichever billing is told of first', async () => {
  await given('mainnet', accept('mainnet'), relayed, confirmed);
  await runJobs();
  metadata.now = '2026-11-28T12:05:00.000Z';
  await given('mainnet', unsent);
  const told = (await fees()).map(([id, data]) => ({ id, data }));
  for (const order of [told, told.toReversed()]) {
    const instance = { store: new InMemoryEventStore(), instanceId: 'here', calendar: createCalendar('UTC') };
    const handle = createHandle(instance);
    const jobs = {
      work: async (_: unknown, work: (job: Job) => Promise<void>) => {
        for (const job of order) await work(job as unknown as Job);
      },
    };
    const deps = { ...instance, handle, jobs, logger: silent, now: () => metadata.now };
    await workEarnedFees(deps, new AbortController().signal);
    const fee = await load(instance.store, feeKind, feeStream(told[0]!.id));
    expect(fee).toMatchObject({ status: 'reversed', facts: { created_at: '2026-11-28T12:00:00.000Z' } });
  }
});
