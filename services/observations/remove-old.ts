import type { Logger } from 'pino';
import { DamagedData } from '../../contracts/engine/damaged-data';
import { EngineUnavailable } from '../../contracts/engine/engine-unavailable';
import {
  observationTombstone,
  OBSERVATIONS_TOPIC,
  type Observation,
} from '../../contracts/observation/observation';
import type { Query } from '../../contracts/ports/documents';
import type { Log } from '../../contracts/ports/log';
import { sleep } from '../../contracts/retry/retry';
import { observedCollection, type ObservedDocument } from '../../projections/observations/projection';
import type { Views } from '../../projections/views';

export interface RemoveOldDeps {
  readonly views: Pick<Views, 'count' | 'find' | 'getMany' | 'waitForChange'>;
  readonly log: Pick<Log, 'publish'>;
  readonly clock: () => Date;
  /** Since its last observation, until a subject is removed; Infinity: never. */
  readonly maxAgeMs: number;
  /** Subjects of the kind that are stored; Infinity: any number. */
  readonly maxStored: number;
}

/** Documents of applications have up to 64 KiB. */
const PAGE_SIZE = 100;
const INTERVAL_MS = 60_000;
const POLL_MS = 1_000;

/**
 * Removes the subjects of a kind that were observed least recently: those of long ago, and those beyond the number that is stored.
 * Nothing is lost: a subject that is read again is observed again. Several processes may do this at a time, and one that was
 * killed is repeated.
 * @returns how many were removed
 * @throws EngineUnavailable, DamagedData
 */
export async function removeOldObservations(
  deps: RemoveOldDeps,
  observation: Pick<Observation, 'kind'>,
  signal: AbortSignal,
): Promise<number> {
  const collection = observedCollection(observation);
  for (let removed = 0; ;) {
    const old = await findOld(deps, collection);
    if (old.length === 0) return removed;
    signal.throwIfAborted();
    const tombstones = old.map(({ _id }) => observationTombstone(observation.kind, _id));
    await deps.log.publish(OBSERVATIONS_TOPIC.name, tombstones);
    await untilRemoved(deps, collection, old, signal);
    removed += old.length;
  }
}

async function findOld(
  { views, clock, maxAgeMs, maxStored }: RemoveOldDeps,
  collection: string,
): Promise<readonly ObservedDocument[]> {
  const excess = maxStored === Infinity ? 0 : (await views.count(collection)) - maxStored;
  if (excess <= 0 && maxAgeMs === Infinity) return [];
  const before = excess > 0 ? {} : { at: { lt: new Date(clock().getTime() - maxAgeMs).toISOString() } };
  const query: Query = {
    filter: before,
    order: [['at', 'asc']],
    limit: excess > 0 ? Math.min(excess, PAGE_SIZE) : PAGE_SIZE,
  };
  return (await views.find<ObservedDocument>(collection, query)).documents;
}

/** What was found is found until the projection has folded its removal. Some may have been observed again by then. */
async function untilRemoved(
  { views }: RemoveOldDeps,
  collection: string,
  old: readonly ObservedDocument[],
  signal: AbortSignal,
): Promise<void> {
  const ids = old.map(({ _id }) => _id);
  for (;;) {
    const left = await views.getMany<ObservedDocument>(collection, ids);
    if (old.every(({ _id, at }) => left.get(_id)?.at !== at)) return;
    await views.waitForChange([{ collection }], POLL_MS, signal);
    signal.throwIfAborted();
  }
}

/** Removes the old subjects of a kind from time to time, until the signal. */
export async function keepRemovingOldObservations(
  { logger, ...deps }: RemoveOldDeps & { readonly logger: Pick<Logger, 'info' | 'warn'> },
  observation: Pick<Observation, 'kind'>,
  signal: AbortSignal,
): Promise<void> {
  const { kind } = observation;
  for (;;) {
    await sleep(INTERVAL_MS, signal);
    if (signal.aborted) return;
    try {
      const subjects = await removeOldObservations(deps, observation, signal);
      if (subjects > 0) logger.info({ kind, subjects }, 'old observations removed');
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof EngineUnavailable || error instanceof DamagedData) throw error;
      logger.warn({ kind, err: error }, 'removal of old observations failed, retrying');
    }
  }
}
