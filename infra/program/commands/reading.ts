import { Problem } from '../../../contracts/problem/problem';
import { sleep } from '../../../contracts/retry/retry';
import type { ProjectionEngine } from '../../../projections/engine/engine';
import type { Projection } from '../../../projections/projection';
import { ProjectionBehind } from '../../../projections/unreadable';
import { isDistributed } from '../../engines/engines';
import { isDataDirClaimed } from '../../engines/data-dir-claim';
import type { Config } from '../../config/settings';
import { withProjections, type Tools } from './with-engines';

type ReadingTools = Pick<Tools, 'signal'> & { readonly engine: ProjectionEngine };

const POLL_MS = 20;
const NOTE_AFTER_MS = 3_000;

/** As `withProjections`, for a command that reads projections: see `reading`. */
export function withReads<Result>(
  config: Config,
  projections: readonly Projection[],
  run: (tools: Tools & ReadingTools) => Promise<Result>,
): Promise<Result> {
  return withProjections(config, projections, tools => reading(config, tools, () => run(tools)));
}

/**
 * Runs what reads the projections of the engine. Where no program runs, it folds what was recorded since, so that nothing is
 * missing in what is shown, and what the command itself records. A program that runs folds for the command too.
 * @throws an error that says what to do, when that program has not caught up
 */
export async function reading<Result>(
  config: Config,
  { engine, signal }: ReadingTools,
  run: () => Promise<Result>,
): Promise<Result> {
  const ended = new AbortController();
  const isAlone = !isDistributed(config) && !isDataDirClaimed(config.DATA_DIR);
  const folding = isAlone ? engine.run(AbortSignal.any([signal, ended.signal])) : Promise.resolve();
  try {
    if (isAlone) await untilCaughtUp(engine, signal);
    return await run();
  } catch (error) {
    const isBehind = error instanceof ProjectionBehind || (error instanceof Problem && error.status === 503);
    if (!isBehind) throw error;
    const which =
      error instanceof ProjectionBehind ? `the projection ${error.projection} is` : 'the documents are';
    throw new Error(
      `${which} behind what is recorded: a program that runs with the role projections folds it, and \`tidemark status\` shows how far it is`,
      { cause: error },
    );
  } finally {
    ended.abort();
    await folding;
  }
}

/** Those that are stopped or incomplete are refused by the read itself. */
async function untilCaughtUp(engine: ProjectionEngine, signal: AbortSignal): Promise<void> {
  const began = performance.now();
  let isNoted = false;
  for (;;) {
    const { behind } = await engine.unreadable();
    signal.throwIfAborted();
    if (behind.length === 0) return;
    if (!isNoted && performance.now() - began > NOTE_AFTER_MS) {
      process.stderr.write(`folding what was recorded since a program ran: ${behind.join(', ')}\n`);
      isNoted = true;
    }
    await sleep(POLL_MS, signal);
  }
}
