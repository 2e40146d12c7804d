import type { Logger } from 'pino';
import { createProjectionEngine, type ProjectionEngine } from '../../../projections/engine/engine';
import type { Projection } from '../../../projections/projection';
import { openEngines, type Engines } from '../../engines/engines';
import { createLogger } from '../../config/logger';
import type { Config } from '../../config/settings';
import { assertIdentity } from '../identity';

export interface Tools {
  readonly engines: Engines;
  readonly logger: Logger;
  /** Aborted at SIGINT and SIGTERM, and when the command ends. */
  readonly signal: AbortSignal;
}

/**
 * Runs a command beside a program that may be running on the same data, and closes everything afterwards.
 * @throws WrongSettings on a ledger of another instance
 */
export async function withEngines<Result>(
  config: Config,
  run: (tools: Tools) => Promise<Result>,
): Promise<Result> {
  const logger = createLogger(
    config.LOG_LEVEL === 'info' ? 'warn' : config.LOG_LEVEL,
    'stderr',
    config.LOG_FORMAT,
  );
  const engines = await openEngines(config, logger);
  try {
    await assertIdentity(config, engines.store);
    return await untilInterrupted(signal => run({ engines, logger, signal }));
  } finally {
    await engines.close();
  }
}

/** As `withEngines`, for a command that reads or rebuilds projections. */
export function withProjections<Result>(
  config: Config,
  projections: readonly Projection[],
  run: (tools: Tools & { readonly engine: ProjectionEngine }) => Promise<Result>,
): Promise<Result> {
  return withEngines(config, tools => run({ ...tools, engine: projectionEngine(projections, tools) }));
}

/** Stopped when the command ends. */
export function projectionEngine(
  projections: readonly Projection[],
  { engines, logger, signal }: Tools,
): ProjectionEngine {
  return createProjectionEngine({ projections, ...engines, clock: () => new Date(), logger, signal });
}

/** Runs work whose signal is aborted at SIGINT and SIGTERM, and at its end: what it started in the background stops. */
export async function untilInterrupted<Result>(
  run: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const interrupted = new AbortController();
  const interrupt = (): void => interrupted.abort(new Error('interrupted'));
  // Not `once`: npm passes on what the terminal has sent to the program too.
  process.on('SIGINT', interrupt).on('SIGTERM', interrupt);
  try {
    return await run(interrupted.signal);
  } finally {
    process.off('SIGINT', interrupt).off('SIGTERM', interrupt);
    interrupted.abort();
  }
}
