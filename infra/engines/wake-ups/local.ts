import type { WakeUps } from './port';

/** Wake-ups within this process: enough where one process does everything. */
export function createLocalWakeUps(): WakeUps {
  const sleepers = new Map<string, Set<() => void>>();

  const wake = (name: string): void => {
    for (const awaken of [...(sleepers.get(name) ?? [])]) awaken();
  };

  return {
    announce: names => names.forEach(wake),
    changed: (names, timeout) =>
      new Promise(resolve => {
        const awaken = (): void => {
          clearTimeout(timer);
          for (const name of names) {
            const asleep = sleepers.get(name);
            asleep?.delete(awaken);
            if (asleep?.size === 0) sleepers.delete(name);
          }
          resolve();
        };
        const timer = setTimeout(awaken, timeout);
        for (const name of names) sleepers.set(name, (sleepers.get(name) ?? new Set()).add(awaken));
      }),
    close: async () => {
      for (const name of [...sleepers.keys()]) wake(name);
    },
  };
}
