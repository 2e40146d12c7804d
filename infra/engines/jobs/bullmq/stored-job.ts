import type { Job as BullJob, JobsOptions } from 'bullmq';
import type { JsonObject } from '../../../../contracts/json';
import { retryDelay, slotId } from '../rules';

/**
 * A job as BullMQ keeps it: its name is our id, its deduplication id too, and its own id is made up anew each time. A
 * slot of a schedule is a job of BullMQ's scheduler, named after the schedule.
 */
export type StoredJob = BullJob<Stored, void>;

export interface Stored {
  readonly data: JsonObject;
  /** Milliseconds. */
  readonly keep: number;
}

const BACKOFF = 'doubling';

/** Nothing that has ended stays in BullMQ's sets: what was given up is listed apart, one entry for each id. */
export function runOptions(attempts: number, backoff: number): JobsOptions {
  return {
    attempts,
    backoff: { type: BACKOFF, delay: backoff },
    removeOnComplete: true,
    removeOnFail: true,
    stackTraceLimit: 0,
  };
}

/** A run that a crash ended counts like one that failed; BullMQ tells them apart. */
export function attemptOf({ attemptsMade, stalledCounter }: StoredJob): number {
  return attemptsMade + stalledCounter + 1;
}

export function backoffOf(job: StoredJob): number {
  const { backoff } = job.opts;
  return retryDelay(typeof backoff === 'object' ? (backoff.delay ?? 0) : (backoff ?? 0), attemptOf(job));
}

/** Our id of it. BullMQ calls a slot `repeat:<schedule>:<milliseconds>`. */
export function idOf({ id, name, repeatJobKey }: StoredJob): string {
  return repeatJobKey === undefined ? name : slotId(name, Number(id!.slice(id!.lastIndexOf(':') + 1)));
}

/** What there is one entry of among those given up: a job by its id, a schedule as a whole. */
export function entryOf({ name, repeatJobKey }: StoredJob): string {
  return repeatJobKey === undefined ? jobEntry(name) : `schedule/${name}`;
}

export function jobEntry(id: string): string {
  return `job/${id}`;
}
