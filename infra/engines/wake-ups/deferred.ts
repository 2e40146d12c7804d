import type { WakeUps } from '../../../contracts/ports/wake-ups';

/** Wake-ups that can be used while they are still being opened, so that other engines can be opened in parallel. */
export function deferredWakeUps(opening: Promise<WakeUps>): WakeUps {
  let opened: WakeUps | undefined;
  const whenOpen = opening.then(wakeUps => (opened = wakeUps));
  // The caller that opens them handles the error.
  whenOpen.catch(() => undefined);
  return {
    notify: names => {
      if (opened) opened.notify(names);
      else whenOpen.then(wakeUps => wakeUps.notify(names)).catch(() => undefined);
    },
    wait: async (names, timeoutMs) => (opened ?? (await whenOpen)).wait(names, timeoutMs),
    close: async () => (await whenOpen).close(),
  };
}
