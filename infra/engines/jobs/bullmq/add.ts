import { randomBytes } from 'node:crypto';
import { Job as BullJob, type Queue, type RedisClient } from 'bullmq';
import type { NewJob } from '../../../../contracts/ports/jobs';
import { forgetGivenUp, givenUpKeys, hasGivenUp } from './given-up';
import { jobEntry, runOptions, type Stored } from './stored-job';

/** The key that says which job has an id; it is BullMQ's own, see its deduplication in "simple mode". */
export function idKey(toKey: (type: string) => string, id: string): string {
  return toKey(`de:${id}`);
}

/** What BullMQ calls a job, made up here: if an answer names another one, the id was taken. It is in many keys, so it is short. */
const PROCESS = randomBytes(12).toString('base64url');
let made = 0;
const newKey = (): string => `${PROCESS}-${(made += 1).toString(36)}`;

const storedFor = (queue: Queue<Stored>, job: Required<NewJob>): BullJob<Stored> => {
  const { id, data, delay, attempts, backoff, keep } = job;
  const options = { ...runOptions(attempts, backoff), delay, deduplication: { id } };
  return new BullJob<Stored>(queue, id, { data, keep }, options, newKey());
};

/** What became of a job: whether it was added, or else its id was taken; or the error that kept it from being added. */
export type Outcome = { readonly added: boolean } | { readonly error: unknown };

const addOne = async (client: RedisClient, queue: Queue<Stored>, job: Required<NewJob>): Promise<Outcome> => {
  try {
    const stored = storedFor(queue, job);
    // A deduplicated job is answered with the one that has the id.
    return { added: (await stored.addJob(client)) === stored.id };
  } catch (error) {
    return { error };
  }
};

/**
 * Adds jobs, each for itself, and takes those that were given up before from their list. A process that dies in between
 * leaves them there, until they are asked for again: nobody was told that the job was added.
 * @throws what Redis has against all of them
 */
export async function addJobs(
  queue: Queue<Stored>,
  jobs: readonly Required<NewJob>[],
): Promise<readonly Outcome[]> {
  const client = await queue.getBackend().client;
  const keys = givenUpKeys(queue.toKey);
  // All sent in this very turn, so in this order: who was given up before is among those counted after.
  const adding = jobs.map(job => addOne(client, queue, job));
  const someGivenUp = hasGivenUp(client, keys);
  const [outcomes, areSome] = await Promise.all([Promise.all(adding), someGivenUp]);
  if (areSome)
    await forgetGivenUp(
      client,
      keys,
      jobs.map(({ id }) => ({ entry: jobEntry(id), holder: idKey(queue.toKey, id) })),
    );
  return outcomes;
}
