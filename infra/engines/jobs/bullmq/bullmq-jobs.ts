import type { Logger } from 'pino';
import { checkRedis } from '../../redis/open';
import { closeClient, createClient } from '../../redis/client';
import { answered } from './answered';
import { countGivenUp, givenUpKeys, listGivenUp } from './given-up';
import { openQueues } from './queues';
import { declareSchedule, removeSchedule } from './schedules';
import { runWorker } from './worker';
import type { Jobs } from '../../../../contracts/ports/jobs';
import { checkSchedule, completed } from '../rules';

export interface BullMqJobsOptions {
  /** `redis://` or, over TLS, `rediss://`; one Redis, not a cluster. */
  readonly url: string;
  /** What all keys begin with; default `tidemark`. */
  readonly prefix?: string;
  readonly logger?: Logger;
}

/**
 * Jobs in Redis, through BullMQ. A job that was added is as durable as Redis is set up: with `appendfsync always` it
 * outlives every crash, with `everysec` the last second may be lost, without an append-only file all since the last
 * snapshot. The clocks of the processes should agree within the intervals used: delays and schedules go by them.
 * Workers wait for a Redis that is away; everything else throws EngineUnavailable after some seconds.
 * @throws CannotOpen
 */
export async function openBullMqJobs({ url, prefix = 'tidemark', logger }: BullMqJobsOptions): Promise<Jobs> {
  await checkRedis(url, prefix, logger);
  const prompt = createClient(url, 'prompt', logger);
  const patient = createClient(url, 'patient');
  const queues = openQueues(prompt, prefix);

  const closing = new AbortController();
  const workers = new Set<Promise<void>>();
  return {
    add: async job => {
      const whole = completed(job);
      return answered(async () => (await queues.adder(job.queue)).add(whole));
    },
    schedule: async schedule => {
      checkSchedule(schedule);
      await answered(async () => declareSchedule(await queues.get(schedule.queue), schedule));
    },
    unschedule: (queue, id) => answered(async () => removeSchedule(await queues.get(queue), id)),
    work: (options, handle) => {
      const signal = AbortSignal.any([options.signal, closing.signal]);
      const work = runWorker({ connection: patient, prefix, logger }, { ...options, signal }, handle).finally(
        () => workers.delete(work),
      );
      workers.add(work);
      return work;
    },
    counts: name =>
      answered(async () => {
        const queue = await queues.get(name);
        const { active = 0, ...waiting } = await queue.getJobCounts('active', 'wait', 'delayed');
        // Asked for second: a job is listed as given up before it stops being active.
        const failed = await countGivenUp(prompt, givenUpKeys(queue.toKey));
        return { waiting: Object.values(waiting).reduce((sum, n) => sum + n, 0), running: active, failed };
      }),
    failures: (name, limit) =>
      answered(async () => listGivenUp(prompt, givenUpKeys((await queues.get(name)).toKey), limit)),
    close: async () => {
      closing.abort();
      await Promise.allSettled(workers);
      await queues.added();
      await Promise.all([closeClient(prompt), closeClient(patient)]);
    },
  };
}
