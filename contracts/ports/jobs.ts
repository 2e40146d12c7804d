import type { JsonObject } from '../json/json';

/** With waits that double from one second, retries last a week. */
export const ATTEMPTS_FOR_A_WEEK = 20;

export interface NewJob {
  readonly queue: string;
  /** While a job with the id is waiting or running, or has completed within `keepIdMs`, adding it again does nothing. */
  readonly id: string;
  readonly data: JsonObject;
  /** Default 0. */
  readonly delayMs?: number;
  /** Runs after which the job has failed; default 5. */
  readonly attempts?: number;
  /** The wait before the first retry, doubling with each retry; default 1,000. */
  readonly backoffMs?: number;
  /** How long a completed job keeps its id; default 0. */
  readonly keepIdMs?: number;
}

/** Runs once at each multiple of the interval, however many workers there are: the slot is part of the job's id. */
export interface Schedule {
  readonly queue: string;
  readonly id: string;
  readonly everyMs: number;
  readonly data: JsonObject;
}

export interface Job {
  readonly queue: string;
  readonly id: string;
  readonly data: JsonObject;
  /** 1 on the first run. */
  readonly attempt: number;
  /** Aborted when the worker stops or the lease is lost. */
  readonly signal: AbortSignal;
}

export interface WorkOptions {
  readonly queue: string;
  /** Jobs at a time; default 1. */
  readonly concurrency?: number;
  /** A job whose worker has died is run again after this time; renewed while the job runs; default 30,000. */
  readonly leaseMs?: number;
  readonly signal: AbortSignal;
}

export interface QueueCounts {
  readonly waiting: number;
  /** Of those that wait, those that are not due yet. */
  readonly delayed: number;
  readonly running: number;
  readonly failed: number;
}

/** A job that failed on its last attempt. Its id is free: adding it again removes the failure and starts over. */
export interface FailedJob {
  readonly id: string;
  readonly data: JsonObject;
  /** Runs so far. */
  readonly attempts: number;
  /** The error of the last run. */
  readonly error: string;
  /** Milliseconds since the epoch. */
  readonly failedAt: number;
}

/** At least once: handlers are idempotent by job id. `test/contracts/jobs.ts` is the definition. */
export interface Jobs {
  /** Durable when it resolves. True when the job was added, false when its id was taken. */
  add(job: NewJob): Promise<boolean>;
  /** Declares a repeated job, or changes its interval and data. */
  schedule(schedule: Schedule): Promise<void>;
  unschedule(queue: string, id: string): Promise<void>;
  /** Runs jobs until the signal, then awaits the running ones. An error of the handler is a failed attempt. */
  work(options: WorkOptions, handle: (job: Job) => Promise<void>): Promise<void>;
  counts(queue: string): Promise<QueueCounts>;
  /** Names of the queues that jobs were added to, and perhaps of some that are empty by now; sorted. */
  queues(): Promise<readonly string[]>;
  /** The last failed jobs of a queue, latest first; only the last one of each schedule. */
  failures(queue: string, limit: number): Promise<readonly FailedJob[]>;
  close(): Promise<void>;
}
