import { createEar, type Ear } from './ear';

/** Who listens for which recipients in this process. */
export interface Bells {
  ring(to: string): void;
  ringAll(): void;
  listen(to: readonly string[]): Ear;
  /** Whether anybody listens for the recipient. */
  hears(to: string): boolean;
  /** Closes all ears, and those to come. */
  close(): void;
}

/** @param left called with the recipients of an ear that was closed */
export function createBells(left: (to: readonly string[]) => void): Bells {
  const listening = new Map<string, Set<Ear>>();
  const all = new Set<Ear>();
  let closed = false;

  const forget = (ear: Ear, to: readonly string[]): void => {
    all.delete(ear);
    for (const name of to) {
      const ears = listening.get(name);
      ears?.delete(ear);
      if (ears?.size === 0) listening.delete(name);
    }
    left(to);
  };

  return {
    ring: to => listening.get(to)?.forEach(ear => ear.ring()),
    ringAll: () => all.forEach(ear => ear.ring()),
    listen: to => {
      const ear = createEar(() => forget(ear, to));
      all.add(ear);
      for (const name of to) listening.set(name, (listening.get(name) ?? new Set()).add(ear));
      if (closed) ear.close();
      return ear;
    },
    hears: to => listening.has(to),
    close: () => {
      closed = true;
      for (const ear of [...all]) ear.close();
    },
  };
}
