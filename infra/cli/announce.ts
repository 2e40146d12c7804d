import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { isReady, type CheckHealth } from '../program/health/health';

const POLL_MS = 200;

/**
 * Logs that the program is up, which is when it answers, and that it is ready, which is when every vital check passes, as
 * /health/ready says; in between what it waits for, such as projections that catch up. Returns once it is ready.
 */
export async function announce(
  about: Readonly<Record<string, unknown>>,
  checkHealth: CheckHealth,
  logger: Logger,
): Promise<void> {
  logger.info(about, 'tidemark is up');
  const results = await checkHealth();
  if (!isReady(results)) {
    const failed = results.filter(({ vital, reason }) => vital && reason !== null);
    const checks = Object.fromEntries(failed.map(({ name, reason }) => [name, reason]));
    logger.info({ checks }, 'not ready yet: tidemark status shows how far it is');
    do await sleep(POLL_MS);
    while (!isReady(await checkHealth()));
  }
  logger.info('tidemark is ready');
}
