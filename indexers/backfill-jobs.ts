import type { Logger } from 'pino';
import { z } from 'zod';
import { shareOf } from '../contracts/bound';
import { createFairSemaphore, TooManyWaiting, type FairSemaphore } from '../contracts/fair-semaphore';
import { backoffMs } from '../contracts/retry/backoff';
import { accountKey, type AccountRef, type NetworkRef } from '../contracts/network/network';
import type { EventStore } from '../contracts/ports/event-store';
import type { Job, Jobs, NewJob } from '../contracts/ports/jobs';
import { WrongNetwork } from '../contracts/network/wrong-network';
import { createOutageLog, isOutage } from './outage-log';
import { runUntilFirstFailure } from './run-until-first-failure';
import { NO_SHARES, type BackfillShares } from './backfill-shares';
import type { IndexerMetrics } from './indexer';
import { findWatch } from './watches';

/**
 * A long history is read by a chain of jobs, each of which enqueues the next: the backfill survives crashes and outages,
 * and no account occupies a worker for long.
 */
export const BackfillJob = z.object({
  network: z.string(),
  /** Normalised. */
  address: z.string(),
  /** The number of the watch for which the history is read. */
  watch: z.int(),
  /** Each part of a history has its own chain of jobs; 0 for the newest. */
  part: z.int().default(0),
  /** Reads the first page alone, for which somebody waits: in a queue of its own, so that no long history delays it. */
  isFirst: z.boolean().default(false),
  /** Number of the job in its chain, from 0. */
  sequence: z.int(),
  /** Jobs in a row that failed. */
  failures: z.int(),
  /** Jobs in a row that had no place among those that wait for a turn. */
  postponed: z.int().default(0),
});
export type BackfillJob = z.output<typeof BackfillJob>;

/** A worker reads one network: the one its source serves. */
const queueOf = (chain: AccountRef['chain'], network: string, isFirst: boolean): string =>
  `${chain}-${isFirst ? 'first-page' : 'backfill'}-${network}`;

/** The queues of a network, in which jobs wait while it is off. */
export function backfillQueues({ chain, network }: NetworkRef): string[] {
  return [queueOf(chain, network, true), queueOf(chain, network, false)];
}

/** @param delayMs milliseconds before it runs */
export function backfillJob(
  chain: AccountRef['chain'],
  job: z.input<typeof BackfillJob>,
  delayMs = 0,
): NewJob {
  const { network, address, watch, part = 0, isFirst = false, sequence, postponed = 0 } = job;
  return {
    queue: queueOf(chain, network, isFirst),
    id: `${accountKey({ chain, network, address } as AccountRef)}/${watch}/${part}/${sequence}`,
    data: { ...job, part, isFirst, postponed },
    delayMs,
    // Each crash of a process during the job is an attempt.
    attempts: 1_000,
  };
}

/** The first number of a chain that reads a history again: no job of an earlier chain has it, of which ids may be taken. */
export function newChain(): number {
  return Math.floor(Date.now() / 1_000);
}

/** First pages read at a time: six of one caller. */
const FIRST_CONCURRENCY = 8;
/** Jobs that wait for the turn of their caller in this process, in each queue. */
const MAX_WAITING = 1_000;
/** More than may wait or run: the job of a caller with few is taken out of the queue while those of another have all places. */
const MAX_TAKEN = MAX_WAITING + 200;
/** Before a job that had no place is taken again, doubling up to that of histories whose share is read. */
const POSTPONED_MS = 15_000;
/** Whose turn it is when nobody in particular has asked for the account. */
const PROGRAM = '';
const RETRY_MS = 1_000;
const MAX_RETRY_MS = 60_000;
/** Of a history whose share of the day is read. */
const SHARE_RETRY_MS = 600_000;
/** A source that is not asked is not burdened, so it may be looked for more often. */
const WRONG_NETWORK_RETRY_MS = 5_000;

/**
 * Runs the backfill jobs of a network until the signal. A failing source delays a backfill but never ends it; the end of the
 * watch does. Callers take turns, and a quarter of what is read at a time is left to those who have less: many jobs are taken out of a queue, and each waits here for the turn of who was the first to
 * read its account.
 * `read` resolves to the milliseconds before the next job of the chain, or to null when the history is complete.
 */
export async function workBackfills<Read extends BackfillJob>(deps: {
  readonly chain: AccountRef['chain'];
  readonly network: string;
  readonly jobs: Jobs;
  readonly store: Pick<EventStore, 'readStream'>;
  readonly logger: Logger;
  /** Histories read at a time, beside first pages: one caller has those that leave a quarter, but at least one, to others. */
  readonly concurrency: number;
  readonly schema: z.ZodType<Read>;
  readonly signal: AbortSignal;
  readonly metrics: IndexerMetrics;
  /** Default: nothing is restricted. First pages are always read. */
  readonly shares?: BackfillShares;
  read(job: Read, signal: AbortSignal, metrics: IndexerMetrics): Promise<number | null>;
}): Promise<void> {
  const { chain, network, jobs, store, logger, concurrency, schema, signal, read, metrics } = deps;
  const { shares = NO_SHARES } = deps;
  const outages = createOutageLog(logger, `backfill of ${chain}`, 'network');

  /** What is current of a job; null when the watch has ended. */
  async function watchOf({
    address,
    watch,
  }: BackfillJob): Promise<{ readonly source: string | null } | null> {
    const watched = await findWatch(store, { chain, network, address } as AccountRef);
    return watched?.watch === watch ? watched : null;
  }

  async function run(turns: FairSemaphore, { data, signal: stop }: Job): Promise<void> {
    const job = schema.parse(data);
    const { address, sequence, failures, postponed } = job;
    const addNext = (next: Partial<BackfillJob>, delayMs: number): Promise<boolean> =>
      jobs.add(backfillJob(chain, { ...job, sequence: sequence + 1, postponed: 0, ...next }, delayMs));
    async function readNext(): Promise<void> {
      // The watch may have ended during the wait.
      const watched = await watchOf(job);
      if (!watched) return;
      const { source } = watched;
      if (!job.isFirst && !shares.hasLeft(source)) return void (await addNext({}, SHARE_RETRY_MS));
      const began = performance.now();
      const waitMs = await read(job, stop, {
        ...metrics,
        published(count) {
          shares.add(source, count);
          metrics.published(count);
        },
      });
      outages.answered(network, began);
      if (waitMs !== null) await addNext({ failures: 0, isFirst: false }, waitMs);
    }
    try {
      const watched = await watchOf(job);
      if (watched) await turns.run({ caller: watched.source ?? PROGRAM }, readNext, stop);
    } catch (error) {
      stop.throwIfAborted();
      if (error instanceof TooManyWaiting) {
        const delayMs = backoffMs(postponed, POSTPONED_MS, SHARE_RETRY_MS);
        return void (await addNext({ postponed: postponed + 1 }, delayMs));
      }
      if (isOutage(error)) outages.failed(network, error);
      else logger.warn({ err: error, chain, network, address, failures }, 'backfill failed, retrying');
      if (error instanceof WrongNetwork) return void (await addNext({}, WRONG_NETWORK_RETRY_MS));
      await addNext({ failures: failures + 1 }, backoffMs(failures, RETRY_MS, MAX_RETRY_MS));
    }
  }

  const work = (isFirst: boolean, maxConcurrent: number, stop: AbortSignal): Promise<void> => {
    const share = shareOf(maxConcurrent);
    const turns = createFairSemaphore({ maxConcurrent, maxWaiting: MAX_WAITING, share, exceedsShare: true });
    const options = { queue: queueOf(chain, network, isFirst), concurrency: MAX_TAKEN, signal: stop };
    return jobs.work(options, job => run(turns, job));
  };
  await runUntilFirstFailure(signal, [
    stop => work(true, FIRST_CONCURRENCY, stop),
    stop => work(false, concurrency, stop),
  ]);
}
