import { setTimeout as sleep } from 'node:timers/promises';
import { MongoServerSelectionError } from 'mongodb';
import { EngineUnavailable } from '../../../../contracts/engine/engine-unavailable';
import { limited } from './limited';

/** Resolves when a server has answered it. */
export type Probe = (signal: AbortSignal) => Promise<unknown>;

export interface CircuitBreaker {
  /**
   * @param timeoutMs of the work; null for work that may take any time
   * @param work is told by the signal that its caller has given up
   * @param probe what a server answers that does such work; default: the ping
   * @throws what the work throws; EngineUnavailable when the time is over or no server answers; while the circuit is open,
   *   the error that opened it
   */
  execute<Result>(
    timeoutMs: number | null,
    work: (signal: AbortSignal) => Promise<Result>,
    probe?: Probe,
  ): Promise<Result>;
  close(): void;
}

const PROBE_INTERVAL_MS = 250;

/** Of `unansweredMs`: between pings beside operations, and for the answer to a probe. The rest is for a busy process. */
const BETWEEN_PINGS = 0.2;
const PROBE_TIMEOUT = 0.6;

/**
 * The driver selects a server for each operation, and waits for as long as an election may take. When that fails
 * the circuit opens and all operations fail at once; a ping in the background closes it again. So each operation waits
 * out an election, and only the first one waits for an outage.
 *
 * A server that hangs still accepts operations. So it is pinged while some are running: when it does not answer, the
 * circuit opens and all of them end. What takes long on a server that answers goes on until its own time limit.
 *
 * A server whose disk hangs answers pings. So an operation that its time limit ends is followed by its probe: while that is not
 * answered, operations of the same probe fail at once. One that was only slow has others go on.
 *
 * Unlike a half-open circuit, no operation serves as the probe: it would wait for the whole server selection.
 *
 * @param unansweredMs how long a caller may wait for a server that answers nobody
 */
export function createCircuitBreaker(ping: Probe, unansweredMs: number): CircuitBreaker {
  const stopped = new AbortController();
  const running = new Set<AbortController>();
  const openedBy = new Map<Probe, Error>();
  const recovering = new Set<Probe>();
  let watching = false;

  const pause = (milliseconds: number): Promise<void> =>
    sleep(milliseconds, undefined, { signal: stopped.signal, ref: false }).catch(() => undefined);

  /** Probes again after any error, since the driver may have closed the connection. */
  const answers = (probe: Probe): Promise<unknown> =>
    limited(unansweredMs * PROBE_TIMEOUT, async signal => {
      for (;;)
        try {
          return await probe(signal);
        } catch {
          signal.throwIfAborted();
          await pause(PROBE_INTERVAL_MS);
          stopped.signal.throwIfAborted();
        }
    });

  /** Until the probe is answered, its operations fail with the error: from the first time on that it is not. */
  const recover = async (probe: Probe, error: Error): Promise<void> => {
    if (recovering.has(probe)) return;
    recovering.add(probe);
    while (!stopped.signal.aborted)
      try {
        await answers(probe);
        break;
      } catch {
        openedBy.set(probe, error);
        await pause(PROBE_INTERVAL_MS);
      }
    openedBy.delete(probe);
    recovering.delete(probe);
  };

  const open = (error: Error): void => {
    openedBy.set(ping, error);
    void recover(ping, error);
  };

  const watch = async (): Promise<void> => {
    watching = true;
    await pause(unansweredMs * BETWEEN_PINGS);
    while (running.size > 0 && !stopped.signal.aborted)
      try {
        if (!openedBy.has(ping)) await answers(ping);
        await pause(unansweredMs * BETWEEN_PINGS);
      } catch (cause) {
        if (stopped.signal.aborted) break;
        const reason = `MongoDB answered no ping within ${unansweredMs * PROBE_TIMEOUT} ms`;
        const error = new EngineUnavailable('documents', reason, { cause });
        open(error);
        for (const operation of running) operation.abort(error);
      }
    watching = false;
  };

  return {
    async execute(timeoutMs, work, probe = ping) {
      const opened = openedBy.get(ping) ?? openedBy.get(probe);
      if (opened) throw opened;
      const operation = new AbortController();
      running.add(operation);
      if (!watching) void watch();
      try {
        return await limited(timeoutMs, work, operation);
      } catch (error) {
        if (error instanceof MongoServerSelectionError) open(error);
        else if (error instanceof EngineUnavailable && !openedBy.has(ping)) void recover(probe, error);
        throw error;
      } finally {
        running.delete(operation);
      }
    },
    close: () => stopped.abort(),
  };
}
