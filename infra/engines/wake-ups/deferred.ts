import type { WakeUps } from '../../../contracts/ports/wake-ups';

/** Wake-ups that can be used while they are still being opened, so that other engines can be opened in parallel. */
export function deferredWakeUps(opening: Promise<WakeUps>): WakeUps {
  let opened: WakeUps | undefined;
  const whenOpen = opening.then(wakeUps => (opened = wakeUps));
  // The caller that opens them handles the error.
  whenOpen.catch(() => undefined);
  return {
    notify: (...notification) => {
      if (opened) opened.notify(...notification);
      else whenOpen.then(wakeUps => wakeUps.notify(...notification)).catch(() => undefined);
    },
    wait: async (names, timeoutMs) => (opened ?? (await whenOpen)).wait(names, timeoutMs),
    subscribe(name, onChange) {
      if (opened) return opened.subscribe(name, onChange);
      let unsubscribe: (() => void) | null = null;
      let ended = false;
      whenOpen
        .then(wakeUps => {
          if (ended) return;
          unsubscribe = wakeUps.subscribe(name, onChange);
          onChange(null);
        })
        .catch(() => undefined);
      return () => {
        ended = true;
        unsubscribe?.();
      };
    },
    close: async () => (await whenOpen).close(),
  };
}
