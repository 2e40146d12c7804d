import { CheckpointMoved, DuplicateKey } from '../../contracts/ports/documents';
import { isLogProjection, type Projection } from '../projection';
import type { Context } from './context';
import { resume, stop } from './faults';
import { FoldError } from './fold';
import { physicalSpecs, planGeneration, seal } from './generation';
import { pause } from './pause';
import { rebuild } from './rebuild';
import { RebuildInProgress } from './rebuild-errors';
import { changeRecord, ENGINE_COLLECTIONS, readRecord, type ProjectionRecord } from './record';
import { runEvents } from './run-events';
import { runMessages } from './run-messages';
import { standBy } from './stand-by';
import type { createTurns } from './turn';

/**
 * What the runner of a projection is at: `building` a new version, or the first documents, beside the live ones, `standby` while another runner is at
 * work, `retrying` after an error of a store, `stopped` at a fault of its fold, `outdated` when the live documents are
 * of a newer version than this program knows.
 */
export type RunnerState =
  'catching-up' | 'live' | 'building' | 'standby' | 'retrying' | 'stopped' | 'outdated';

interface Supervision {
  readonly context: Context;
  readonly projection: Projection;
  /** Admits so many builds at a time over all projections. */
  readonly turn: ReturnType<typeof createTurns>;
  readonly signal: AbortSignal;
  onState(state: RunnerState): void;
}

const FIRST_RETRY = 100;
const LONGEST_RETRY = 5_000;

/** Keeps one projection running until the signal, whatever happens to stores, versions and generations. */
export async function supervise(supervision: Supervision): Promise<void> {
  const { context, projection, signal, onState } = supervision;
  let failures = 0;
  let started = false;
  while (!signal.aborted)
    try {
      if (!started) await start(context, projection);
      started = true;
      await step({
        ...supervision,
        onState: state => {
          if (state === 'live') failures = 0;
          onState(state);
        },
      });
    } catch (error) {
      if (signal.aborted) return;
      const fatal = error instanceof FoldError || error instanceof DuplicateKey;
      context.logger.error(
        { projection: projection.name, error },
        fatal ? 'projection stopped' : 'projection retries',
      );
      if (fatal) await stop(context, projection.name, error).catch(() => undefined);
      else {
        onState('retrying');
        await pause(Math.min(FIRST_RETRY * 2 ** failures++, LONGEST_RETRY), signal);
      }
    }
}

/** The first start of a projection makes its generation 1. Each start tries once more what may have been mended. */
async function start(context: Context, projection: Projection): Promise<void> {
  const { documents } = context;
  await documents.declare(ENGINE_COLLECTIONS);
  const plan = await planGeneration(context, projection);
  const first = { ...plan(1), latest: 1, building: null, retired: [], fault: null };
  const record = await readRecord(documents, projection.name);
  if (!record) await documents.declare(physicalSpecs(projection.collections, 1));
  await changeRecord(documents, projection.name, record => (record ? null : first));
  await resume(context, projection.name);
}

/** Does what the record asks for until it asks for something else. */
async function step(supervision: Supervision): Promise<void> {
  const { context, projection, turn, signal, onState } = supervision;
  await context.records.refresh();
  const record = (await context.records.get(projection.name))!;
  if (record.fault) {
    onState('stopped');
    return context.records.beyond(record, signal);
  }
  if (record.version > projection.version) {
    onState('outdated');
    return context.records.beyond(record, signal);
  }
  if (record.version === projection.version && !(await isUnfilled(context, projection, record)))
    return run(supervision, record);

  onState('building');
  try {
    await turn(async () => {
      signal.throwIfAborted();
      await rebuild(context, projection, { signal });
    });
  } catch (error) {
    if (!(error instanceof RebuildInProgress)) throw error;
    await context.records.beyond(record, signal);
  }
}

/** Events from which on a first filling goes beside the live, empty generation: without indexes it is several times faster. */
const MANY = 10_000;

async function isUnfilled(
  { documents, store }: Context,
  projection: Projection,
  { checkpoints }: ProjectionRecord,
): Promise<boolean> {
  if (isLogProjection(projection) || (await documents.checkpoint(checkpoints[0]!))) return false;
  return (await store.head()) >= MANY;
}

/** Runs the live generation until another is live. */
async function run(
  { context, projection, signal, onState }: Supervision,
  record: ProjectionRecord,
): Promise<void> {
  const { documents, records } = context;
  for (const old of record.retired) await seal(documents, old);
  await documents.declare(physicalSpecs(projection.collections, record.generation));

  const switched = new AbortController();
  const moved = (): boolean => records.peek(projection.name)?.generation !== record.generation;
  const stopListening = records.onRefresh(() => {
    if (moved()) switched.abort();
  });
  const until = AbortSignal.any([signal, switched.signal]);
  try {
    await (isLogProjection(projection)
      ? runMessages(context, projection, record.generation, until, onState)
      : runEvents(context, projection, record.generation, until, onState));
  } catch (error) {
    if (!(error instanceof CheckpointMoved)) throw error;
    await records.refresh();
    if (moved()) return;
    onState('standby');
    await standBy(context, projection, record, until);
  } finally {
    stopListening();
  }
}
