import type { WakeUps } from '../../../contracts/ports/wake-ups';
import { createLocalWakeUps } from './local';

/** Wake-ups where no channel between processes exists: changes by other processes are found by polling. */
export function createPollingWakeUps(pollMs: number): WakeUps {
  const local = createLocalWakeUps();
  return { ...local, wait: (names, timeoutMs) => local.wait(names, Math.min(pollMs, timeoutMs)) };
}
