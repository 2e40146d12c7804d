import type { Logger } from 'pino';
import {
  OBSERVATIONS,
  observationKey,
  type Observation,
  type RequestObservation,
} from '../contracts/chain/observation';
import type { Json } from '../contracts/json';
import type { Jobs } from '../contracts/ports/jobs';
import type { Log, TopicSpec } from '../contracts/ports/log';

/** Observations of one thing replace each other. */
export const OBSERVATIONS_TOPIC: TopicSpec = { name: OBSERVATIONS, partitions: 8, cleanup: 'compact' };

const QUEUE = 'observe';

/** How one kind of thing is read from outside. */
export interface Observer {
  /** Milliseconds: one thing is not read again sooner than this after it was read. */
  readonly minAge: number;
  /** Reads the subject. `height` is the seqno or slot that the source was at, null where it has none. */
  observe(
    subject: string,
    signal: AbortSignal,
  ): Promise<{ readonly height: number | null; readonly data: Json }>;
}

/** By kind, such as `solana.account`. */
export type Observers = Readonly<Record<string, Observer>>;

/**
 * Asks for observations through a queue. The thing is the id of its job, so asking while it is being read, or sooner
 * than its `minAge` after, asks for nothing new.
 * @throws Error for a kind that nobody observes: a fault of the caller's code.
 */
export function observationRequests(
  jobs: Jobs,
  observers: Readonly<Record<string, Pick<Observer, 'minAge'>>>,
): RequestObservation {
  return async (kind, subject) => {
    const observer = observers[kind];
    if (!observer) throw new Error(`no observer of ${kind}`);
    await jobs.add({
      queue: QUEUE,
      id: observationKey(kind, subject),
      data: { kind, subject },
      attempts: 3,
      backoff: 500,
      keep: observer.minAge,
    });
  };
}

export interface ObservationWork {
  readonly jobs: Jobs;
  readonly log: Log;
  readonly observers: Observers;
  readonly logger: Logger;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Reads at a time; default 8. */
  readonly concurrency?: number;
  readonly signal: AbortSignal;
}

/**
 * Reads what was asked for and publishes it, until the signal. Whoever runs this must have the observers of all kinds:
 * there is one queue. A read that fails a few times is given up; the next to ask asks anew.
 */
export async function workObservations(work: ObservationWork): Promise<void> {
  const { jobs, log, observers, logger, now, concurrency = 8, signal } = work;
  await log.declare([OBSERVATIONS_TOPIC]);
  await jobs.work({ queue: QUEUE, concurrency, signal }, async job => {
    const { kind, subject } = job.data as { kind: string; subject: string };
    try {
      const observer = observers[kind];
      if (!observer) throw new Error(`no observer of ${kind}`);
      // Taken before the read: what is said to be of an instant must not be older than it claims.
      const at = new Date(now()).toISOString();
      const { height, data } = await observer.observe(subject, job.signal);
      const observation: Observation = { kind, subject, height, at, data };
      await log.publish(OBSERVATIONS, [
        { key: observationKey(kind, subject), value: Buffer.from(JSON.stringify(observation)) },
      ]);
    } catch (error) {
      logger.warn({ kind, subject, attempt: job.attempt, error: String(error) }, 'observation failed');
      throw error;
    }
  });
}
