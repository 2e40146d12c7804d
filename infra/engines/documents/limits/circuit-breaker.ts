import { setTimeout as sleep } from 'node:timers/promises';
import { EngineUnavailable } from '../../../../contracts/engine/engine-unavailable';
import { limited } from './limited';

export interface CircuitBreaker {
  /**
   * @param work is told by the signal that its caller has given up
   * @throws what the work throws; EngineUnavailable when the time is over; while the circuit is open, the error that opened it
   */
  execute<Result>(timeoutMs: number, work: (signal: AbortSignal) => Promise<Result>): Promise<Result>;
  close(): void;
}

const PROBE_INTERVAL_MS = 250;
const PROBE_TIMEOUT_MS = 3_000;

/**
 * A client looks for a server for each operation, for as long as an election may take. When it finds none the circuit opens,
 * and all operations fail at once until a probe in the background succeeds. So each operation waits out an election, and only the
 * first ones wait for an outage.
 *
 * A server that hangs still accepts operations. So one that its time limit ends is followed by a probe, which opens the circuit when
 * it fails. One that was only slow has others go on.
 *
 * Unlike a half-open circuit, no operation serves as the probe: it would wait for as long as a server is looked for.
 * @param NoServer what the client throws when it finds none
 */
export function createCircuitBreaker(
  probe: (signal: AbortSignal) => Promise<unknown>,
  NoServer: abstract new (...args: never[]) => Error,
): CircuitBreaker {
  const stopped = new AbortController();
  let openedBy: Error | null = null;
  let recovering = false;

  const answers = (): Promise<boolean> =>
    limited(PROBE_TIMEOUT_MS, probe).then(
      () => true,
      () => false,
    );

  const recover = async (error: Error): Promise<void> => {
    if (recovering) return;
    recovering = true;
    while (!stopped.signal.aborted && !(await answers())) {
      openedBy = error;
      await sleep(PROBE_INTERVAL_MS, undefined, { ref: false });
    }
    openedBy = null;
    recovering = false;
  };

  return {
    async execute(timeoutMs, work) {
      if (openedBy) throw openedBy;
      try {
        return await limited(timeoutMs, work);
      } catch (error) {
        if (error instanceof NoServer) openedBy = error;
        if (error instanceof NoServer || error instanceof EngineUnavailable) void recover(error);
        throw error;
      }
    },
    close: () => stopped.abort(),
  };
}
