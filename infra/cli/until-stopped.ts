import type { Logger } from 'pino';
import type { Config } from '../program/config';
import { createLogger } from '../program/logger';
import { start, type Running } from '../program/main';
import type { Role } from '../program/roles/role';

/** Milliseconds after which a drain that hangs is cut short. */
const LONGEST_DRAIN = 15_000;

/** Plays the roles until SIGTERM or SIGINT, then drains and ends the process; an error of a role ends it too. */
export async function runUntilStopped(
  config: Config,
  roles: readonly Role[],
  greet: (running: Running, logger: Logger) => Promise<void>,
): Promise<never> {
  const logger = createLogger(config.LOG_LEVEL);
  // Listening before anything is open: a stop asked for while it starts is as clean as any other.
  const stop = new Promise<void>(resolve => {
    process.once('SIGTERM', resolve);
    process.once('SIGINT', resolve);
  });
  const running = await start(config, logger, roles);
  await greet(running, logger);
  await Promise.race([stop, running.failed]).finally(async () => {
    setTimeout(() => process.exit(1), LONGEST_DRAIN).unref();
    await running.stop();
  });
  process.exit(0);
}
