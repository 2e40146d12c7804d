import type { JsonObject } from '../json';

export interface NewJob {
  readonly queue: string;
  /** While a job of this id waits, runs or has finished within its keep time, asking again changes nothing. */
  readonly id: string;
  readonly data: JsonObject;
  /** Milliseconds from now; default 0. */
  readonly delay?: number;
  /** Runs in all before the job is given up as failed; default 5. */
  readonly attempts?: number;
  /** First wait before a retry in milliseconds, doubling each time; default 1,000. */
  readonly backoff?: number;
  /** Milliseconds that a finished job keeps its id taken; default 0. */
  readonly keep?: number;
}

/** One run at each multiple of `every`, whoever is there to do it: the slot is the job's id. */
export interface Schedule {
  readonly queue: string;
  readonly id: string;
  readonly every: number;
  readonly data: JsonObject;
}

export interface Job {
  readonly queue: string;
  readonly id: string;
  readonly data: JsonObject;
  /** 1 on the first run. */
  readonly attempt: number;
  /** Fires when the worker stops or the lease is lost. */
  readonly signal: AbortSignal;
}

export interface WorkOptions {
  readonly queue: string;
  /** Jobs at a time; default 1. */
  readonly concurrency?: number;
  /** Milliseconds after which a job of a worker that died is given to another; renewed while it runs; default 30,000. */
  readonly lease?: number;
  readonly signal: AbortSignal;
}

export interface QueueCounts {
  readonly waiting: number;
  readonly running: number;
  readonly failed: number;
}

/** A job that was given up. It does not keep its id: asking for it again takes it from here and starts anew. */
export interface FailedJob {
  readonly id: string;
  readonly data: JsonObject;
  /** Runs it had. */
  readonly attempts: number;
  /** What the last run ended with. */
  readonly error: string;
  /** Milliseconds since the epoch. */
  readonly failedAt: number;
}

/** At least once: handlers are idempotent by job id. `test/contracts/jobs.ts` is the definition. */
export interface Jobs {
  /** Durable when it resolves. True when it was added, false when its id was taken. */
  add(job: NewJob): Promise<boolean>;
  /** Declares a repeated job; declaring it again with another interval changes it. */
  schedule(schedule: Schedule): Promise<void>;
  unschedule(queue: string, id: string): Promise<void>;
  /** Runs jobs until the signal, then waits for those in hand. A handler's error is a failed attempt. */
  work(options: WorkOptions, handle: (job: Job) => Promise<void>): Promise<void>;
  counts(queue: string): Promise<QueueCounts>;
  /** The last failed jobs of a queue, latest first; of a schedule only the last one. */
  failures(queue: string, limit: number): Promise<readonly FailedJob[]>;
  close(): Promise<void>;
}
