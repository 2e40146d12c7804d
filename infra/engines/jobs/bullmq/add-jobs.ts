import { randomBytes } from 'node:crypto';
import { Job as BullJob, type Queue, type RedisClient } from 'bullmq';
import type { NewJob } from '../../../../contracts/ports/jobs';
import { failedJobKeys, hasFailed, removeFailed } from './failed-jobs';
import { jobEntry, runOptions, type JobData } from './stored-job';

/** BullMQ's deduplication key ("simple mode"): holds BullMQ's id of the job that has our id. */
export function idKey(toKey: (type: string) => string, id: string): string {
  return toKey(`de:${id}`);
}

/**
 * A new BullMQ id for each job: if the reply names another one, our id was taken. Short, because it is part of many keys.
 */
const PROCESS_ID = randomBytes(12).toString('base64url');
let created = 0;
const newBullId = (): string => `${PROCESS_ID}-${(created += 1).toString(36)}`;

const toBullJob = (queue: Queue<JobData>, job: Required<NewJob>): BullJob<JobData> => {
  const { id, data, delayMs, attempts, backoffMs, keepIdMs } = job;
  const options = { ...runOptions(attempts, backoffMs), delay: delayMs, deduplication: { id } };
  return new BullJob<JobData>(queue, id, { data, keepIdMs }, options, newBullId());
};

/** Whether the job was added or its id was taken, and BullMQ's id of the job that has it; or the error. */
export type AddResult = { readonly added: boolean; readonly bullId: string } | { readonly error: unknown };

const addOne = async (
  client: RedisClient,
  queue: Queue<JobData>,
  job: Required<NewJob>,
): Promise<AddResult> => {
  try {
    const bullJob = toBullJob(queue, job);
    // For a deduplicated job BullMQ returns the id of the existing one.
    const bullId = await bullJob.addJob(client);
    return { added: bullId === bullJob.id, bullId };
  } catch (error) {
    return { error };
  }
};

/**
 * Adds jobs independently of each other and removes them from the failed jobs. After a crash in between they stay
 * failed until they are added again: the addition was not acknowledged.
 * @throws an error of Redis that concerns all of them
 */
export async function addJobs(
  queue: Queue<JobData>,
  jobs: readonly Required<NewJob>[],
): Promise<readonly AddResult[]> {
  const client = await queue.getBackend().client;
  const keys = failedJobKeys(queue.toKey);
  // All sent in one turn of the event loop, and so in this order: the check sees every earlier failure of these ids.
  const adding = jobs.map(job => addOne(client, queue, job));
  const anyFailed = hasFailed(client, keys);
  const [results, hasFailures] = await Promise.all([Promise.all(adding), anyFailed]);
  if (hasFailures)
    await removeFailed(
      client,
      keys,
      jobs.flatMap(({ id }, i) => {
        const result = results[i]!;
        return 'error' in result ? [] : [{ entry: jobEntry(id), bullId: result.bullId }];
      }),
    );
  return results;
}
