import type { Logger } from 'pino';
import {
  isNewer,
  OBSERVATIONS_TOPIC,
  observationKey,
  observationQueue,
  observationQueues,
  type Observation,
} from '../../contracts/observation/observation';
import { ALL_NETWORKS, isFollowed, type FollowedNetworks } from '../../contracts/network/network';
import { NothingToObserve } from '../../contracts/observation/nothing-to-observe';
import { TooManyWaiting } from '../../contracts/fair-semaphore';
import type { Job, Jobs } from '../../contracts/ports/jobs';
import type { Log } from '../../contracts/ports/log';
import { runUntilFirstFailure } from '../run-until-first-failure';
import { createFailureLog, outageScope } from './failure-log';
import { readRecord, recordMessage, type ReadRecordDeps } from './read-record';
import { createSourceLimits, jobsTaken, type SourceLimits } from './source-limits';

export interface ObservationWorkerDeps {
  /** All kinds whose subjects may be requested from the queues of their sources. */
  readonly observations: readonly Observation[];
  readonly clients: ReadRecordDeps['clients'];
  readonly jobs: Pick<Jobs, 'work'>;
  readonly log: Pick<Log, 'declare' | 'publish'>;
  readonly last: ReadRecordDeps['last'];
  readonly logger: Logger;
  /** The networks that the instance serves; default: all. */
  readonly followed?: FollowedNetworks;
  /** Shared with all other readers of the same sources in this process. */
  readonly limits?: SourceLimits;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** The data of a job. */
interface RequestedRead {
  readonly kind: string;
  readonly subject: string;
  /** Whose turn it is, where callers take turns. */
  readonly caller?: string;
  /** Another caller has requested it, and its job may still wait. */
  readonly joins?: true;
}

/**
 * Reads the requested subjects and publishes the observations, until the signal. Each source has its own queues. A read
 * that fails a few times is dropped; the next request tries again. So is one too many that waits for the turn of its caller, and what
 * was requested of a network before it was off.
 */
export async function workObservations(work: ObservationWorkerDeps, signal: AbortSignal): Promise<void> {
  const { observations, clients, jobs, log, last, logger, followed = ALL_NETWORKS, now } = work;
  const { limits = createSourceLimits() } = work;
  const byKind = new Map(observations.map(observation => [observation.kind, observation]));
  if (byKind.size < observations.length) throw new Error('two observations are of the same kind');
  const failures = createFailureLog(logger, 'observation failed');
  await log.declare([OBSERVATIONS_TOPIC]);

  async function observe({ data: requested, attempt, signal }: Job): Promise<void> {
    const { kind, subject, caller, joins } = requested as unknown as RequestedRead;
    let scope: string | null = null;
    try {
      const observation = byKind.get(kind);
      if (!observation) throw new Error(`no observation of kind ${kind}`);
      const parsed = observation.subject.parse(subject);
      scope = outageScope(observation.source, parsed);
      const network = observation.source.chainOf?.(parsed);
      if (network && !isFollowed(followed, network)) return;
      if (joins) {
        const queue = observationQueue(observation.source, parsed);
        return limits.join(queue, { key: observationKey(kind, subject), caller });
      }
      const began = performance.now();
      const record = await readRecord({ clients, limits, last, now }, observation, parsed, {
        caller,
        signal,
      });
      failures.answered(scope, began);
      // The log keeps the last record of a subject, and documents the one as of the latest block: that must be the same one.
      // Documents that cannot be read yet delay no reading.
      const known = await last(observation, parsed).catch(() => null);
      if (known && !isNewer(record, known))
        return logger.debug({ kind, subject }, 'a later block of it was read already');
      await log.publish(OBSERVATIONS_TOPIC.name, [recordMessage(record)]);
    } catch (error) {
      if (signal.aborted) throw error;
      // Callers can have so many wait as they like.
      if (error instanceof TooManyWaiting) return logger.debug({ kind, subject }, 'too many reads wait');
      if (error instanceof NothingToObserve)
        return logger.debug({ kind, subject, err: error }, 'nothing to observe');
      failures.failed(scope, { kind, subject, attempt }, error);
      throw error;
    }
  }

  const queues = [...concurrencyByQueue(observations)];
  await runUntilFirstFailure(
    signal,
    queues.map(
      ([queue, concurrency]) =>
        signal =>
          jobs.work({ queue, concurrency, signal }, observe),
    ),
  );
}

function concurrencyByQueue(observations: readonly Observation[]): Map<string, number> {
  const sources = new Map(observations.map(({ source }) => [source.name, source]));
  const other = observations.find(({ source }) => sources.get(source.name) !== source);
  if (other) throw new Error(`two sources are named ${other.source.name}`);
  return new Map(
    [...sources.values()].flatMap(source =>
      observationQueues(source).map(queue => [queue, jobsTaken(source)] as const),
    ),
  );
}
