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
  for (let looks = 0; ; looks += 1) {
    const results = await checkHealth();
    if (isReady(results)) break;
    if (looks === 0) {
      const failed = results.filter(({ vital, reason }) => vital && reason !== null);
      const checks = Object.fromEntries(failed.map(({ name, reason }) => [name, reason]));
      logger.info({ checks }, 'not ready yet: tidemark status shows how far it is');
    }
    await sleep(POLL_MS);
  }
  logger.info('tidemark is ready');
}
