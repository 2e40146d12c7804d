import type { Engines } from '../../infra/engines/engines';
import { PROJECTIONS } from '../../infra/program/features';
import { createLogger } from '../../infra/config/logger';
import { createProjectionEngine, type ProjectionEngine } from '../../projections/engine/engine';
import type { Projection } from '../../projections/projection';

/** As the program has it, of all its projections by default; until the signal. */
export function projectionEngine(
  engines: Pick<Engines, 'store' | 'log' | 'documents'>,
  signal: AbortSignal,
  projections: readonly Projection[] = PROJECTIONS,
): ProjectionEngine {
  return createProjectionEngine({
    projections,
    ...engines,
    clock: () => new Date(),
    logger: createLogger('warn'),
    signal,
  });
}

/** Runs the engine until it is done, as it is asked every so often. */
export async function runUntil(
  engine: ProjectionEngine,
  stop: AbortController,
  isDone: () => Promise<boolean>,
  pollMs: number,
): Promise<void> {
  const running = engine.run(stop.signal);
  while (!(await isDone()))
    await Promise.race([running, new Promise(resolve => setTimeout(resolve, pollMs))]);
  stop.abort();
  await running;
}
