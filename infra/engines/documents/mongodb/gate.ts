import { setTimeout as sleep } from 'node:timers/promises';

/** Lets work through to servers that are there, and turns it away at once while it is known that they are not. */
export interface Gate {
  /** @throws what the work throws; while the gate is shut, the error that shut it */
  pass<Result>(work: () => Promise<Result>): Promise<Result>;
  close(): void;
}

/** Milliseconds. */
const BETWEEN_LOOKS = 250;

/**
 * The driver looks for a server anew for each operation, and for as long as an election may take. Once that was in vain
 * the gate is shut: one alone goes on looking, and with its success all are let through again. So an election is waited
 * for, and an outage is waited for once.
 * @param look resolves when a server was found; may take as long as the driver looks for one
 * @param isAway whether the error says that no server was found
 */
export function createGate(look: () => Promise<unknown>, isAway: (error: unknown) => error is Error): Gate {
  const closed = new AbortController();
  let shut: Error | null = null;

  const reopen = async (): Promise<void> => {
    while (shut && !closed.signal.aborted)
      try {
        await look();
        shut = null;
      } catch {
        await sleep(BETWEEN_LOOKS, undefined, { signal: closed.signal, ref: false }).catch(() => undefined);
      }
  };

  return {
    async pass(work) {
      if (shut) throw shut;
      try {
        return await work();
      } catch (error) {
        if (isAway(error) && !shut && !closed.signal.aborted) {
          shut = error;
          void reopen();
        }
        throw error;
      }
    },
    close: () => closed.abort(),
  };
}
