import type { Job as BullJob, JobsOptions } from 'bullmq';
import type { JsonObject } from '../../../../contracts/json/json';
import { retryDelay, slotId } from '../timing';

/**
 * A job in BullMQ: our id is its name and its deduplication id; BullMQ's id is new each time. The slot of a schedule is
 * a job of BullMQ's scheduler, with the schedule's id as its name.
 */
export type StoredJob = BullJob<JobData, void>;

export interface JobData {
  readonly data: JsonObject;
  readonly keepIdMs: number;
}

const BACKOFF = 'exponential-capped';

/** Jobs that have ended are removed from BullMQ; failed ones are listed in keys of our own, one entry for each id. */
export function runOptions(attempts: number, backoffMs: number): JobsOptions {
  return {
    attempts,
    backoff: { type: BACKOFF, delay: backoffMs },
    removeOnComplete: true,
    removeOnFail: true,
    stackTraceLimit: 0,
  };
}

/** A run that ended with a crash counts as an attempt; BullMQ counts these separately. */
export function attemptOf({ attemptsMade, stalledCounter }: StoredJob): number {
  return attemptsMade + stalledCounter + 1;
}

export function backoffOf(job: StoredJob): number {
  const { backoff } = job.opts;
  return retryDelay(typeof backoff === 'object' ? (backoff.delay ?? 0) : (backoff ?? 0), attemptOf(job));
}

/** Our id of a job. BullMQ's id of a slot is `repeat:<schedule>:<milliseconds>`. */
export function idOf({ id, name, repeatJobKey }: StoredJob): string {
  return repeatJobKey === undefined ? name : slotId(name, Number(id!.slice(id!.lastIndexOf(':') + 1)));
}

/** The entry of a job among the failed jobs: one for each id, and one for all slots of a schedule. */
export function entryOf({ name, repeatJobKey }: StoredJob): string {
  return repeatJobKey === undefined ? jobEntry(name) : `schedule/${name}`;
}

export function jobEntry(id: string): string {
  return `job/${id}`;
}
