import { pino } from 'pino';
import { tonBackfillReaction, workTonBackfills } from '../../indexers/ton/backfill/worker';
import type { Jobs, NewJob } from '../../contracts/ports/jobs';
import { Indexing } from './indexing';
import { accountAt, ScriptedChain } from './scripted-chain';

const A = accountAt(1);

/** Runs jobs one after the other as they are added, whatever their delayMs. */
function jobsDouble(added: NewJob[]): Jobs {
  const jobs: Partial<Jobs> = {
    add: async job => added.push(job) > 0,
    async work({ signal }, handle) {
      for (let next = 0; next < added.length && !signal.aborted; next++)
        await handle({ ...added[next]!, attempt: 1, signal });
    },
  };
  return jobs as Jobs;
}

async function worked(indexing: Indexing): Promise<NewJob[]> {
  const added: NewJob[] = [];
  const jobs = jobsDouble(added);
  for (const event of indexing.store.events)
    for (const job of tonBackfillReaction.jobs(event)) await jobs.add(job);
  const logger = pino({ level: 'silent' });
  await workTonBackfills(
    { ...indexing.deps, jobs, logger, maxPages: 1, waitMs: 5 },
    new AbortController().signal,
  );
  return added;
}

let indexing: Indexing;
beforeEach(async () => {
  const chain = new ScriptedChain();
  for (let n = 0; n < 45; n++) chain.mine({ accounts: [A] });
  indexing = new Indexing(chain);
  indexing.watch(A);
  void indexing.start();
  await indexing.untilFollowed(A);
});
afterEach(() => indexing.stop());

it('reads a long history in a chain of jobs, each adding the next', async () => {
  const added = await worked(indexing);
  expect(added.map(({ id }) => id)).toEqual([0, 1, 2].map(sequence => `ton:mainnet:${A}/${sequence}`));
  expect(new Set(indexing.published(A))).toEqual(new Set(indexing.chain.ltsOf(A)));
  expect(indexing.backfilled).toEqual([A]);
});

it('backs off while the source fails', async () => {
  const { transactions } = indexing.source;
  let failures = 8;
  indexing.source.transactions = (...args) =>
    failures-- > 0 ? Promise.reject(new Error('unreachable')) : transactions(...args);
  const added = await worked(indexing);
  expect(added.map(({ delayMs: delayMs }) => delayMs)).toEqual([
    0, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000, 0, 0,
  ]);
  expect(indexing.backfilled).toEqual([A]);
});
