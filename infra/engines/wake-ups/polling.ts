import type { WakeUps } from '../../../contracts/ports/wake-ups';
import { createLocalWakeUps } from './local';

/** A subscriber reads all that it knows again at each poll, a waiter one thing: subscribers are called less often. */
const SUBSCRIBER_POLL_MS = 1_000;

/** Wake-ups where no channel between processes exists: changes by other processes are found by polling. */
export function createPollingWakeUps(pollMs: number, subscriberPollMs = SUBSCRIBER_POLL_MS): WakeUps {
  const local = createLocalWakeUps();
  return {
    notify: local.notify,
    wait: (names, timeoutMs) => local.wait(names, Math.min(pollMs, timeoutMs)),
    subscribe(name, onChange) {
      const unsubscribe = local.subscribe(name, onChange);
      const polls = setInterval(() => onChange(null), subscriberPollMs).unref();
      return () => {
        clearInterval(polls);
        unsubscribe();
      };
    },
    close: local.close,
  };
}
