import { once } from 'node:events';
import { pino } from 'pino';
import { openRecordedJobs } from '../test/doubles/jobs';
import { InMemoryEventStore } from '../test/doubles/event-store';
import { recordExpired, recordWatched } from '../test/doubles/watched-accounts';
import { until } from '../test/until';
import { BackfillJob, backfillJob, backfillQueues, workBackfills } from './backfill-jobs';

const NETWORK = { chain: 'ton', network: 'mainnet' } as const;
const [FIRST_PAGES] = backfillQueues(NETWORK) as [string];

const running: (() => Promise<void>)[] = [];
const stopAll = async (): Promise<void> => {
  for (const stop of running.splice(0)) await stop();
};
afterEach(stopAll);

const aborted = async (signal: AbortSignal): Promise<never> => {
  await once(signal, 'abort');
  throw new Error('aborted');
};

/** A worker whose reads of first pages each end when the test says so. */
function firstPages() {
  const store = new InMemoryEventStore();
  const jobs = openRecordedJobs({ maxDelayMs: 500 });
  /** Addresses, in the order in which their reads have begun. */
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  let isOpen = false;

  async function ask(source: string, address: string): Promise<void> {
    await recordWatched(store, { ...NETWORK, address }, 1, source);
    await jobs.add(
      backfillJob('ton', { network: 'mainnet', address, watch: 1, isFirst: true, sequence: 0, failures: 0 }),
    );
  }
  /** Resolves when each job that was added waits for its turn, was postponed, or runs. */
  async function work(processes = 1): Promise<void> {
    for (let n = 0; n < processes; n++) startOne();
    await settled();
  }
  function startOne(): void {
    const stop = new AbortController();
    const working = workBackfills({
      ...NETWORK,
      jobs,
      store,
      concurrency: 1,
      schema: BackfillJob,
      signal: stop.signal,
      logger: pino({ level: 'silent' }),
      metrics: { published: () => undefined, deadLettered: () => undefined },
      async read({ address }, signal) {
        begun.push(address);
        if (!isOpen)
          await Promise.race([new Promise<void>(resolve => void ends.push(resolve)), aborted(signal)]);
        return null;
      },
    });
    running.push(async () => {
      stop.abort();
      await working;
    });
  }
  async function settled(): Promise<void> {
    await until(async () => {
      const { waiting, delayed } = await jobs.counts(FIRST_PAGES);
      return waiting === delayed;
    });
    for (let n = 0; n < 10; n++) await new Promise<void>(resolve => setImmediate(resolve));
  }
  async function endOne(): Promise<void> {
    const before = begun.length;
    ends.shift()!();
    await until(() => begun.length > before);
  }
  function open(): void {
    isOpen = true;
    for (const end of ends.splice(0)) end();
  }
  return { store, jobs, begun, ask, work, settled, endOne, open };
}

test('an honest first page is read after one of each stranger, however many accounts they have made up', async () => {
  const { begun, ask, work, endOne } = firstPages();
  for (let n = 0; n < 480; n++) await ask(`stranger ${n % 8}`, `made up ${n}`);
  await ask('honest', 'wallet');
  await work();
  expect(begun).toHaveLength(8);
  for (let n = 0; n < 9; n++) await endOne();
  expect(begun).toContain('wallet');
});

test('an honest first page is read at once while those of one stranger are not read to their end', async () => {
  const { begun, ask, work, settled } = firstPages();
  for (let n = 0; n < 20; n++) await ask('stranger', `made up ${n}`);
  await work();
  expect(begun).toHaveLength(6);
  await ask('honest', 'wallet');
  await settled();
  expect(begun.slice(6)).toEqual(['wallet']);
});

test('beyond those that may wait the first pages of the caller with most are read later, and none is lost', async () => {
  const { jobs, begun, ask, work, settled, open } = firstPages();
  for (let n = 0; n < 1_300; n++) await ask('stranger', `made up ${n}`);
  await work();
  await ask('honest', 'wallet');
  await settled();
  expect(begun).toContain('wallet');
  const postponed = jobs.added.filter(({ delayMs }) => delayMs! > 0);
  expect(new Set(postponed.map(({ data }) => data['isFirst']))).toEqual(new Set([true]));
  open();
  await until(() => new Set(begun).size === 1_301);
});

test('of several processes each has the callers take turns: an honest first page waits for one read, also when others fill the queue', async () => {
  const { begun, ask, work, settled, endOne } = firstPages();
  for (let n = 0; n < 2_100; n++) await ask(`stranger ${n % 4}`, `made up ${n}`);
  await work(2);
  expect(begun).toHaveLength(16);
  await ask('honest', 'wallet');
  await settled();
  // Of the eight reads that each process has begun one has to end, wherever the honest one waits.
  for (let n = 0; n < 16 && !begun.includes('wallet'); n++) await endOne();
  expect(begun).toContain('wallet');
});

test('the first page of an account that is forgotten while it waits is not read', async () => {
  const { store, jobs, begun, ask, work, open } = firstPages();
  for (let n = 0; n < 9; n++) await ask('somebody', `wallet ${n}`);
  await work();
  await recordExpired(store, { ...NETWORK, address: 'wallet 8' });
  open();
  await until(async () => (await jobs.counts(FIRST_PAGES)).running === 0);
  expect(begun).toEqual(Array.from({ length: 8 }, (_, n) => `wallet ${n}`));
});

test('what waits for a turn when a worker stops is read by the next one', async () => {
  const { jobs, begun, ask, work, open } = firstPages();
  const wallets = Array.from({ length: 20 }, (_, n) => `wallet ${n}`);
  for (const wallet of wallets) await ask('somebody', wallet);
  await work();
  expect(begun).toHaveLength(6);
  await stopAll();
  expect(await jobs.counts(FIRST_PAGES)).toMatchObject({ waiting: 20, running: 0, failed: 0 });
  open();
  await work();
  await until(() => new Set(begun).size === wallets.length);
});
