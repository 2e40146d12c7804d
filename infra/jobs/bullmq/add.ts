import { randomUUID } from 'node:crypto';
import { Job as BullJob, type Queue } from 'bullmq';
import type { NewJob } from '../port';
import { givenUpKeys } from './given-up';
import { jobEntry, runOptions, type Stored } from './stored-job';

/** Takes jobs from those given up, each when the one added in its place has the id now. */
const FORGET = `
  for i = 3, #KEYS do
    local key, entry = ARGV[2 * i - 5], ARGV[2 * i - 4]
    if redis.call('GET', KEYS[i]) == key then
      redis.call('HDEL', KEYS[1], entry)
      redis.call('ZREM', KEYS[2], entry)
    end
  end`;

/** The key that says which job has an id; it is BullMQ's own, see its deduplication in "simple mode". */
export const idKey = (toKey: (type: string) => string, id: string): string => toKey(`de:${id}`);

const storedFor = (queue: Queue<Stored>, job: Required<NewJob>): BullJob<Stored> => {
  const { id, data, delay, attempts, backoff, keep } = job;
  const key = randomUUID();
  const options = { ...runOptions(attempts, backoff), jobId: key, delay, deduplication: { id } };
  return new BullJob<Stored>(queue, id, { data, keep }, options, key);
};

/** What became of a job: whether it was added, or else its id was taken; or the error that kept it from being added. */
export type Outcome = { readonly added: boolean } | { readonly error: unknown };

/** Adds jobs in one transaction. @throws what Redis has against all of them */
export const addJobs = async (
  queue: Queue<Stored>,
  jobs: readonly Required<NewJob>[],
): Promise<readonly Outcome[]> => {
  const transaction = (await queue.getBackend().client).multi();
  const { told, times } = givenUpKeys(queue.toKey);
  const ids: string[] = [];
  const entries: string[] = [];
  const queued: Promise<unknown>[] = [];
  const outcomes = jobs.map((job): Outcome | { readonly key: string } => {
    try {
      const stored = storedFor(queue, job);
      // Put to the transaction in this very turn, so in this order.
      queued.push(stored.addJob(transaction));
      ids.push(idKey(queue.toKey, job.id));
      entries.push(stored.id!, jobEntry(job.id));
      return { key: stored.id! };
    } catch (error) {
      return { error };
    }
  });
  await Promise.all(queued);
  transaction.runCommand('eval', [FORGET, ids.length + 2, told, times, ...ids, ...entries]);
  const answers = (await transaction.exec()) ?? [];
  const forgotten = answers[ids.length];

  let at = 0;
  return outcomes.map(outcome => {
    if (!('key' in outcome)) return outcome;
    const [refusal, id] = answers[at++] ?? [];
    const error: unknown = refusal ?? forgotten?.[0];
    // A deduplicated job is answered with the one that has the id.
    return error ? { error } : { added: id === outcome.key };
  });
};
