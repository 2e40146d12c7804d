import { pino } from 'pino';
import { createBackfillShares, type BackfillShares } from '../../indexers/backfill-shares';
import { tonBackfillReaction, workTonBackfills } from '../../indexers/ton/backfill/worker';
import type { NewJob } from '../../contracts/ports/jobs';
import { openRecordedJobs } from '../doubles/jobs';
import { until } from '../until';
import { Indexing } from './indexing';
import { accountAt, ScriptedChain } from './scripted-chain';

const [A, B] = [accountAt(1), accountAt(2)];

async function worked(
  indexing: Indexing,
  shares?: BackfillShares,
  isDone = () => indexing.backfilled.length > 0,
): Promise<NewJob[]> {
  const jobs = openRecordedJobs({ maxDelayMs: 1 });
  for (const event of indexing.store.stored.all)
    for (const job of tonBackfillReaction.jobs(event)) await jobs.add(job);
  const logger = pino({ level: 'silent' });
  const stop = new AbortController();
  const deps = { ...indexing.deps, jobs, logger, maxPages: 1, waitMs: 5, ...(shares && { shares }) };
  const working = workTonBackfills(deps, stop.signal);
  await until(isDone);
  stop.abort();
  await working;
  await jobs.close();
  return jobs.added;
}

let indexing: Indexing;
beforeEach(async () => {
  const chain = new ScriptedChain();
  for (let n = 0; n < 45; n++) chain.mine({ accounts: [A] });
  indexing = new Indexing(chain);
  await indexing.watch(A);
  void indexing.start();
  await indexing.untilFollowed(A);
});
afterEach(() => indexing.stop());

it('reads a long history in a chain of jobs, each adding the next', async () => {
  const added = await worked(indexing);
  expect(added.map(({ id }) => id)).toEqual([0, 1, 2].map(sequence => `ton:mainnet:${A}/1/0/${sequence}`));
  expect(new Set(indexing.published(A))).toEqual(new Set(indexing.chain.ltsOf(A)));
  expect(indexing.backfilled).toEqual([A]);
});

it('backs off while the source fails', async () => {
  const { transactions } = indexing.source;
  let failures = 8;
  indexing.source.transactions = (...args) =>
    failures-- > 0 ? Promise.reject(new Error('unreachable')) : transactions(...args);
  const added = await worked(indexing);
  expect(added.map(({ delayMs }) => delayMs)).toEqual([
    0, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000, 0, 0,
  ]);
  expect(indexing.backfilled).toEqual([A]);
});

it('the histories that a stranger asks for are read in part, while that of somebody else is read whole', async () => {
  const chain = new ScriptedChain();
  for (let n = 0; n < 45; n++) chain.mine({ accounts: [A, B] });
  const asked = new Indexing(chain);
  await asked.watch(A, 1, 'stranger');
  await asked.watch(B, 1, 'somebody');
  void asked.start();
  await asked.untilFollowed(A);
  await asked.untilFollowed(B);
  let now = Date.parse('2026-03-01T12:00:00.000Z');
  const shares = createBackfillShares(400, () => now);
  // What it has had read of other histories.
  shares.add('stranger', 90);
  const postponed = (): number => asked.published(A).length;
  await worked(asked, shares, () => asked.backfilled.includes(B) && postponed() >= 20);
  expect(asked.backfilled).toEqual([B]);
  expect(postponed()).toBeLessThan(45);

  now += 86_400_000;
  await worked(asked, shares, () => asked.backfilled.includes(A));
  expect(new Set(asked.published(A))).toEqual(new Set(chain.ltsOf(A)));
  await asked.stop();
});
