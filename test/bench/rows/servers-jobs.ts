import { openBullMqJobs } from '../../../infra/engines/jobs/bullmq/bullmq-jobs';
import type { NewJob } from '../../../contracts/ports/jobs';
import { createLogger } from '../../../infra/config/logger';
import { figure, paired } from '../figure';
import { openBareQueue, runBareWorker } from '../floors/bare-bullmq';
import { interleave } from '../interleave';
import type { Row } from '../row';

const ADDERS = 32;
const CONCURRENCY = 32;

const jobOf = (queue: string, n: number): NewJob => ({
  queue,
  id: `refresh-${n}`,
  data: { network: 'mainnet', account: `0:${n.toString(16).padStart(64, '0')}`, reason: 'requested' },
});

/** Adds all jobs, by several adders that each wait until their job is durable. */
async function addAll(queue: string, count: number, add: (job: NewJob) => Promise<unknown>): Promise<void> {
  let next = 0;
  const adder = async (): Promise<void> => {
    while (next < count) await add(jobOf(queue, next++));
  };
  await Promise.all(Array.from({ length: ADDERS }, adder));
}

interface Contestant {
  add(job: NewJob): Promise<unknown>;
  /** Starts a worker. @returns stops it */
  work(queue: string, handle: () => void): Promise<() => Promise<void>>;
}

/** Seconds to add all jobs, to process them, and to do both at once with other jobs. */
async function timed(queue: string, count: number, { add, work }: Contestant) {
  const worked = async (name: string, meanwhile: () => Promise<void>): Promise<number> => {
    const began = performance.now();
    let done = 0;
    let finish: () => void;
    const all = new Promise<void>(resolve => (finish = resolve));
    const stop = await work(name, () => {
      if (++done === count) finish();
    });
    await Promise.all([meanwhile(), all]);
    const seconds = (performance.now() - began) / 1_000;
    await stop();
    return seconds;
  };
  const began = performance.now();
  await addAll(`${queue}-a`, count, add);
  const adding = (performance.now() - began) / 1_000;
  const working = await worked(`${queue}-a`, async () => undefined);
  const both = await worked(`${queue}-b`, () => addAll(`${queue}-b`, count, add));
  return { adding, working, both };
}

/**
 * Jobs added one by one, by 32 at a time, and processed 32 at a time by a handler that does nothing, through the port
 * and by bare BullMQ: same Redis, with appendfsync always, same data, attempts, deduplication and removal of completed
 * jobs.
 */
export const row: Row = async ({ sized, say }) => {
  const url = process.env['REDIS_URL']!;
  const jobs = await openBullMqJobs({ url, logger: createLogger('fatal') });
  const count = sized({ full: 5_000, quick: 2_000, smallest: 200 });
  const queueOf = openBareQueue(url);

  const port: Contestant = {
    add: job => jobs.add(job),
    async work(queue, handle) {
      const stop = new AbortController();
      const working = jobs.work({ queue, concurrency: CONCURRENCY, signal: stop.signal }, async () =>
        handle(),
      );
      return () => {
        stop.abort();
        return working;
      };
    },
  };
  const bare = (queues: ReadonlyMap<string, ReturnType<typeof queueOf>>): Contestant => ({
    add: job => queues.get(job.queue)!.add(job),
    async work(queue, handle) {
      const worker = await runBareWorker(url, queue, CONCURRENCY, handle);
      return () => worker.close();
    },
  });

  const ours: Awaited<ReturnType<typeof timed>>[] = [];
  const floors: Awaited<ReturnType<typeof timed>>[] = [];
  await interleave(sized({ full: 8, quick: 3, smallest: 1 }), {
    async ours(round) {
      say(`round ${round + 1}`);
      ours.push(await timed(`jobs-${round}`, count, port));
      return 0;
    },
    async floor(round) {
      const name = `jobs-${round}`;
      const queues = new Map([`${name}-a`, `${name}-b`].map(each => [each, queueOf(each)]));
      floors.push(await timed(name, count, bare(queues)));
      for (const queue of queues.values()) await queue.close();
      return 0;
    },
  });
  await jobs.close();

  const unit = 'jobs/s';
  const goal = { of: 'ratio', atLeast: 0.8 } as const;
  const rates = (of: (seconds: (typeof ours)[number]) => number) =>
    paired(
      ours.map(each => count / of(each)),
      floors.map(each => count / of(each)),
    );
  return [
    figure(
      { what: 'jobs, added and then worked: to bare BullMQ', unit },
      rates(({ adding, working }) => adding + working),
      goal,
    ),
    figure(
      { what: 'jobs, worked while added: to bare BullMQ', unit },
      rates(({ both }) => both),
      goal,
    ),
    figure(
      { what: 'jobs, only added: to bare BullMQ', unit },
      rates(({ adding }) => adding),
    ),
    figure(
      { what: 'jobs, only worked: to bare BullMQ', unit },
      rates(({ working }) => working),
    ),
  ];
};
