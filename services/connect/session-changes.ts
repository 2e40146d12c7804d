import type { ChangedParts } from '../../contracts/ports/wake-ups';
import { CONNECT_SESSIONS } from '../../projections/connect/connections';
import type { Views } from '../../projections/views';

/** Resolves when the session may have changed, after the time-out, or with the signal. @param key of the session */
export type WaitForSession = (key: string, timeoutMs: number, signal: AbortSignal) => Promise<void>;

/** Waits of any number of readers on one subscription: a change wakes those of its session alone. */
export function createSessionWaits(views: Pick<Views, 'subscribe'>): WaitForSession {
  const waiting = new Map<string, Set<() => void>>();
  let unsubscribe: (() => void) | null = null;

  const onChange = (parts: ChangedParts): void => {
    const keys = parts && parts.size < waiting.size ? parts : [...waiting.keys()];
    for (const key of keys)
      if (!parts || parts.has(key)) for (const wake of [...(waiting.get(key) ?? [])]) wake();
  };

  return (key, timeoutMs, signal) =>
    new Promise(resolve => {
      if (signal.aborted) return resolve();
      const wake = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', wake);
        const readers = waiting.get(key);
        readers?.delete(wake);
        if (readers?.size === 0) waiting.delete(key);
        if (waiting.size === 0) {
          unsubscribe?.();
          unsubscribe = null;
        }
        resolve();
      };
      const timer = setTimeout(wake, timeoutMs);
      signal.addEventListener('abort', wake, { once: true });
      waiting.set(key, (waiting.get(key) ?? new Set()).add(wake));
      unsubscribe ??= views.subscribe(CONNECT_SESSIONS, onChange);
    });
}
