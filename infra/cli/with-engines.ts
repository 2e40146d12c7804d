import type { Logger } from 'pino';
import { createProjectionEngine, type ProjectionEngine } from '../../projections/engine/engine';
import type { Config } from '../program/config';
import { openEngines, type Engines } from '../engines/engines';
import { createLogger } from '../program/logger';
import { READ_MODELS } from '../program/read-models';

export interface Toolbox {
  readonly engines: Engines;
  readonly engine: ProjectionEngine;
  readonly logger: Logger;
  /** Fires at SIGINT and SIGTERM. */
  readonly signal: AbortSignal;
}

/** Runs a command beside a program that may be running on the same data, and leaves everything closed. */
export async function withEngines<Result>(
  config: Config,
  run: (tools: Toolbox) => Promise<Result>,
): Promise<Result> {
  const logger = createLogger(config.LOG_LEVEL === 'info' ? 'warn' : config.LOG_LEVEL, 'stderr');
  const engines = await openEngines(config, logger);
  const watching = new AbortController();
  const engine = createProjectionEngine({
    projections: READ_MODELS,
    ...engines,
    clock: () => new Date(),
    logger,
    signal: watching.signal,
  });
  try {
    return await untilInterrupted(signal => run({ engines, engine, logger, signal }));
  } finally {
    watching.abort();
    await engines.close();
  }
}

/** Runs something whose signal fires at SIGINT and SIGTERM. */
export async function untilInterrupted<Result>(
  run: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const interrupted = new AbortController();
  const interrupt = (): void => interrupted.abort(new Error('interrupted'));
  process.once('SIGINT', interrupt).once('SIGTERM', interrupt);
  try {
    return await run(interrupted.signal);
  } finally {
    process.off('SIGINT', interrupt).off('SIGTERM', interrupt);
  }
}
