import { isDeepStrictEqual } from 'node:util';
import { CheckpointMoved } from '../../contracts/ports/documents';
import { sleep } from '../../contracts/retry/retry';
import { isLogProjection, type Projection } from '../projection';
import type { Context } from './context';
import { freeze, physicalSpecs, type Generation } from './generation';
import { lagOf, type Lag } from './lag';
import type { ProjectionRecord } from './projection-record';
import { runEvents } from './run-events';
import { runMessages } from './run-messages';
import type { RunnerState } from './runner-state';
import { readSourceEnd } from './source-end';

export interface GenerationRunner {
  readonly context: Context;
  readonly projection: Projection;
  readonly signal: AbortSignal;
  onState(state: RunnerState): void;
}

/** Runs the live generation until another one is live, or until the signal. */
export async function runGeneration(
  { context, projection, signal, onState }: GenerationRunner,
  record: ProjectionRecord,
): Promise<void> {
  const { documents, records } = context;
  for (const retired of record.retired) await freeze(documents, retired);
  await documents.declare(physicalSpecs(projection.collections, record.generation));

  const switched = new AbortController();
  const isSwitched = (): boolean => records.peek(projection.name)?.generation !== record.generation;
  const stopListening = records.onRefresh(() => {
    if (isSwitched()) switched.abort();
  });
  const until = AbortSignal.any([signal, switched.signal]);
  try {
    await (isLogProjection(projection)
      ? runMessages(context, projection, record.generation, until, onState)
      : runEvents(context, projection, record.generation, until, onState));
  } catch (error) {
    if (!(error instanceof CheckpointMoved)) throw error;
    await records.refresh();
    if (isSwitched()) return;
    onState('standby');
    await standBy(context, projection, record, until);
  } finally {
    stopListening();
  }
}

const STANDBY_POLL_MS = 2_000;
/** Polls without progress after which the other runner counts as stopped. */
const MAX_IDLE_POLLS = 2;

/**
 * Waits while another runner is active: until its checkpoint does not move although there is something to fold, or until
 * the signal. A wrong guess is harmless, since a commit of one makes that of the other fail.
 */
async function standBy(
  context: Pick<Context, 'store' | 'log' | 'documents'>,
  projection: Projection,
  generation: Generation,
  signal: AbortSignal,
): Promise<void> {
  const lagNow = async (): Promise<Lag> =>
    lagOf(context, projection, generation, await readSourceEnd(context, [projection]));
  let last = await lagNow();
  for (let idlePolls = 0; idlePolls < MAX_IDLE_POLLS && !signal.aborted;) {
    await sleep(STANDBY_POLL_MS, signal);
    const now = await lagNow();
    idlePolls = now.lag > 0 && isDeepStrictEqual(now.checkpoint, last.checkpoint) ? idlePolls + 1 : 0;
    last = now;
  }
}
