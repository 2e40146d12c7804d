import type { ChangedParts, WakeUps } from '../../../contracts/ports/wake-ups';

export interface LocalWakeUps extends WakeUps {
  /** Wakes all waiters, and notifies all subscribers that anything may have changed. */
  wakeAll(): void;
}

/** Wake-ups within this process. */
export function createLocalWakeUps(): LocalWakeUps {
  const waiters = new Map<string, Set<() => void>>();
  const subscribers = new Map<string, Set<(parts: ChangedParts) => void>>();

  const wake = (name: string): void => {
    for (const wakeUp of [...(waiters.get(name) ?? [])]) wakeUp();
  };
  const call = (name: string, parts: ChangedParts): void => {
    for (const onChange of [...(subscribers.get(name) ?? [])]) onChange(parts);
  };
  const wakeWaiters = (): void => [...waiters.keys()].forEach(wake);

  return {
    notify(names, parts = null) {
      for (const name of names) {
        call(name, parts);
        wake(name);
      }
    },
    wait: (names, timeoutMs) =>
      new Promise(resolve => {
        const wakeUp = (): void => {
          clearTimeout(timer);
          for (const name of names) removeFrom(waiters, name, wakeUp);
          resolve();
        };
        const timer = setTimeout(wakeUp, timeoutMs);
        for (const name of names) addTo(waiters, name, wakeUp);
      }),
    subscribe(name, onChange) {
      // A function of its own, so that each subscription ends alone.
      const subscriber = (parts: ChangedParts): void => onChange(parts);
      addTo(subscribers, name, subscriber);
      return () => removeFrom(subscribers, name, subscriber);
    },
    wakeAll() {
      for (const name of [...subscribers.keys()]) call(name, null);
      wakeWaiters();
    },
    close: async () => wakeWaiters(),
  };
}

function addTo<T>(sets: Map<string, Set<T>>, name: string, value: T): void {
  sets.set(name, (sets.get(name) ?? new Set()).add(value));
}

function removeFrom<T>(sets: Map<string, Set<T>>, name: string, value: T): void {
  const set = sets.get(name);
  set?.delete(value);
  if (set?.size === 0) sets.delete(name);
}
