import { createLocalWakeUps } from './local';
import type { WakeUps } from './port';

/**
 * Wake-ups where nothing carries word between processes: what this process announces wakes at once, what others do is
 * found by looking again.
 * @param every milliseconds after which a sleeper looks again
 */
export function createPollingWakeUps(every: number): WakeUps {
  const local = createLocalWakeUps();
  return { ...local, changed: (names, timeout) => local.changed(names, Math.min(every, timeout)) };
}
