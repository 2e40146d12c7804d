import { setTimeout as sleep } from 'node:timers/promises';

export interface CircuitBreaker {
  /** @throws what the work throws; while the circuit is open, the error that opened it */
  execute<Result>(work: () => Promise<Result>): Promise<Result>;
  close(): void;
}

const PROBE_INTERVAL_MS = 250;

/**
 * The driver selects a server for each operation, and waits for as long as an election may take. When that fails
 * the circuit opens and all operations fail at once; a probe in the background closes it again. So each operation waits
 * out an election, and only the first one waits for an outage.
 *
 * Unlike a half-open circuit, no operation serves as the probe: it would wait for the whole server selection.
 * @param probe resolves when a server was selected; may take as long as the driver's server selection
 * @param isUnavailable whether the error says that no server could be selected
 */
export function createCircuitBreaker(
  probe: () => Promise<unknown>,
  isUnavailable: (error: unknown) => error is Error,
): CircuitBreaker {
  const stopped = new AbortController();
  let openedBy: Error | null = null;

  const closeWhenAvailable = async (): Promise<void> => {
    while (openedBy && !stopped.signal.aborted)
      try {
        await probe();
        openedBy = null;
      } catch {
        const options = { signal: stopped.signal, ref: false };
        await sleep(PROBE_INTERVAL_MS, undefined, options).catch(() => undefined);
      }
  };

  return {
    async execute(work) {
      if (openedBy) throw openedBy;
      try {
        return await work();
      } catch (error) {
        if (isUnavailable(error) && !openedBy && !stopped.signal.aborted) {
          openedBy = error;
          void closeWhenAvailable();
        }
        throw error;
      }
    },
    close: () => stopped.abort(),
  };
}
