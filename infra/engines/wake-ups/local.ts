import type { WakeUps } from '../../../contracts/ports/wake-ups';

/** Wake-ups within this process. */
export function createLocalWakeUps(): WakeUps {
  const waiters = new Map<string, Set<() => void>>();

  const wakeAll = (name: string): void => {
    for (const wake of [...(waiters.get(name) ?? [])]) wake();
  };

  return {
    notify: names => names.forEach(wakeAll),
    wait: (names, timeoutMs) =>
      new Promise(resolve => {
        const wake = (): void => {
          clearTimeout(timer);
          for (const name of names) {
            const waiting = waiters.get(name);
            waiting?.delete(wake);
            if (waiting?.size === 0) waiters.delete(name);
          }
          resolve();
        };
        const timer = setTimeout(wake, timeoutMs);
        for (const name of names) waiters.set(name, (waiters.get(name) ?? new Set()).add(wake));
      }),
    close: async () => {
      for (const name of [...waiters.keys()]) wakeAll(name);
    },
  };
}
