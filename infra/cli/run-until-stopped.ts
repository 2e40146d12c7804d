import type { Logger } from 'pino';
import type { Config } from '../config/settings';
import { createLogger } from '../config/logger';
import type { Running } from '../program/main';
import { assertPortsFree } from '../program/ports';

/** After a signal the process ends within this and DRAIN_SECONDS, also when it has not finished its start. */
const MAX_STOP_MS = 15_000;
/** The manifests in infra/deploy have it killed after 20 seconds. */
const KILLED_MS = 19_500;

/**
 * Runs the roles until SIGTERM or SIGINT, then drains and ends the process; a role that fails ends it too.
 * @param greet what is done once it runs; it stops where that fails
 */
export async function runUntilStopped(
  config: Config,
  roles: readonly string[],
  greet: (running: Running, logger: Logger) => Promise<void>,
): Promise<never> {
  const logger = createLogger(config.LOG_LEVEL, 'stdout', config.LOG_FORMAT);
  const endInTime = (): void => {
    const limitMs = Math.min(MAX_STOP_MS + config.DRAIN_SECONDS * 1_000, KILLED_MS);
    setTimeout(() => process.exit(1), limitMs).unref();
  };
  // Before anything is open, so that a stop during the start is as clean as any other.
  const stop = new Promise<void>(resolve => {
    const onSignal = (): void => {
      endInTime();
      resolve();
    };
    // Not `once`: Ctrl-C reaches the program twice behind npm, which passes it on, and the second would kill it.
    process.on('SIGTERM', onSignal);
    process.on('SIGINT', onSignal);
  });
  // A taken port is known before anything else is loaded.
  await assertPortsFree(config, roles);
  // Commands that run no role load nothing of it.
  const { start } = await import('../program/main.js');
  const running = await start(config, logger, roles);
  const greeting = greet(running, logger).then(() => running.failed);
  await Promise.race([stop, running.failed, greeting]).finally(async () => {
    endInTime();
    await running.stop();
  });
  process.exit(0);
}
