import type { WakeUps } from './port';

/** Wake-ups that may be used before they are open, so that nobody need wait for them to open something else. */
export function toBeOpened(opening: Promise<WakeUps>): WakeUps {
  let opened: WakeUps | undefined;
  const whenOpen = opening.then(wakeUps => (opened = wakeUps));
  // Whoever opens them meets the error.
  whenOpen.catch(() => undefined);
  return {
    announce: names => {
      if (opened) opened.announce(names);
      else whenOpen.then(wakeUps => wakeUps.announce(names)).catch(() => undefined);
    },
    changed: async (names, timeout) => (opened ?? (await whenOpen)).changed(names, timeout),
    close: async () => (await whenOpen).close(),
  };
}
