import type { Semaphore } from 'async-mutex';
import { DamagedData } from '../../contracts/engine/damaged-data';
import { DuplicateKey } from '../../contracts/ports/documents';
import { retryForever } from '../../contracts/retry/retry';
import { settledWithin } from '../../contracts/retry/settled-within';
import { isLogProjection, type Projection } from '../projection';
import type { Context } from './context';
import { FoldError } from './fold';
import { physicalSpecs, planGeneration } from './generation';
import {
  changeRecord,
  clearFault,
  ENGINE_COLLECTIONS,
  faultOf,
  readRecord,
  recordFault,
  type ProjectionRecord,
} from './projection-record';
import { rebuild } from './rebuild';
import { RebuildInProgress } from './rebuild-errors';
import { runGeneration, type GenerationRunner } from './run-generation';

export interface Runner extends GenerationRunner {
  /** Limits the rebuilds at a time over all projections. */
  readonly rebuilds: Semaphore;
}

const MAX_RETRY_MS = 5_000;

/** Keeps one projection running until the signal, across errors of stores, new versions and new generations. */
export function runProjection(runner: Runner): Promise<void> {
  const { context, projection, signal, onState } = runner;
  const { name } = projection;
  let started = false;

  const attempt = async (onProgress: () => void): Promise<void> => {
    if (!started) await start(context, projection);
    started = true;
    try {
      await step({
        ...runner,
        onState: state => {
          if (state === 'live') onProgress();
          onState(state);
        },
      });
    } catch (error) {
      if (signal.aborted || !isFault(error)) throw error;
      context.logger.error({ projection: name, err: error }, 'projection stopped');
      await recordFault(context, projection, error);
      // Reads are refused from here on.
      await context.records.refresh();
    }
  };

  return retryForever(attempt, {
    signal,
    maxDelayMs: MAX_RETRY_MS,
    onError(error) {
      context.logger.error({ projection: name, err: error }, 'projection failed, retrying');
      onState('retrying');
    },
  });
}

/** An error that a retry does not help against. */
const isFault = (error: unknown): error is FoldError | DuplicateKey | DamagedData =>
  error instanceof FoldError || error instanceof DuplicateKey || error instanceof DamagedData;

/** Creates generation 1 at the very first start. Every start clears the fault, whose cause may have been fixed. */
async function start(context: Context, projection: Projection): Promise<void> {
  const { documents } = context;
  await documents.declare(ENGINE_COLLECTIONS);
  const plan = await planGeneration(context, projection);
  const first = { ...plan(1), latest: 1, building: null, retired: [], fault: null };
  const record = await readRecord(documents, projection.name);
  if (!record) await documents.declare(physicalSpecs(projection.collections, 1));
  await changeRecord(documents, projection.name, record => (record ? null : first));
  await clearFault(context, projection.name);
}

/** Does what the record requires, until the record changes. */
async function step(runner: Runner): Promise<void> {
  const { context, projection, signal, onState } = runner;
  await context.records.refresh();
  const record = (await context.records.get(projection.name))!;
  if (faultOf(record, projection)) {
    onState('stopped');
    return context.records.changedFrom(record, signal);
  }
  if (record.version > projection.version) {
    onState('outdated');
    return context.records.changedFrom(record, signal);
  }
  if (record.version === projection.version && !(await isEmptyWithBacklog(context, projection, record)))
    return runGeneration(runner, record);

  onState('building');
  try {
    await inTurn(runner, () => rebuild(context, projection, { signal }));
  } catch (error) {
    if (!(error instanceof RebuildInProgress)) throw error;
    onState('standby');
    await context.records.changedFrom(record, signal);
  }
}

const WANTED_POLL_MS = 50;

/** Runs the rebuild once there is a place for it, or reads wait for it: those that have the places then pause. */
async function inTurn(
  { context, projection, rebuilds, signal }: Runner,
  run: () => Promise<unknown>,
): Promise<void> {
  const place = rebuilds.acquire();
  const hasPlace = settledWithin(place);
  try {
    while (!context.order.isWanted(projection.name) && !signal.aborted)
      if (await hasPlace(WANTED_POLL_MS, signal)) break;
    signal.throwIfAborted();
    await run();
  } finally {
    void place.then(([, release]) => release());
  }
}

/** From this many events, the first documents are built by a rebuild, which defers indexes and is several times faster. */
const MIN_EVENTS_FOR_REBUILD = 10_000;

async function isEmptyWithBacklog(
  { documents, store }: Context,
  projection: Projection,
  { checkpoints }: ProjectionRecord,
): Promise<boolean> {
  if (isLogProjection(projection) || (await documents.checkpoint(checkpoints[0]!))) return false;
  return (await store.head()) >= MIN_EVENTS_FOR_REBUILD;
}
