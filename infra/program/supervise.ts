import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { DamagedData } from '../../contracts/engine/damaged-data';
import { EngineUnavailable } from '../../contracts/engine/engine-unavailable';
import { retryForever } from '../../contracts/retry/retry';

/** Work that is restarted when an engine was unavailable. */
export interface Supervised {
  /** Resolves when the work has ended after the signal; rejects with an error that only an operator can fix. */
  readonly done: Promise<void>;
  /** Why it does not run; null while it does. */
  unavailable(): string | null;
}

/** Work that has not failed by then counts as running. */
const RUNNING_AFTER_MS = 10_000;

interface SuperviseOptions {
  readonly logger: Logger;
  readonly signal: AbortSignal;
  readonly runningAfterMs?: number;
}

/** Restarts the work with back-off for as long as an engine that it needs is unavailable. */
export function supervise(
  work: () => Promise<unknown>,
  { logger, signal, runningAfterMs = RUNNING_AFTER_MS }: SuperviseOptions,
): Supervised {
  let reason: string | null = null;
  const attempt = async (onProgress: () => void): Promise<void> => {
    const ended = new AbortController();
    sleep(runningAfterMs, undefined, { signal: AbortSignal.any([signal, ended.signal]) }).then(
      () => {
        reason = null;
        onProgress();
      },
      () => undefined,
    );
    try {
      await work();
    } finally {
      ended.abort();
    }
  };
  const done = retryForever(attempt, {
    signal,
    onError(error) {
      if (!(error instanceof EngineUnavailable || error instanceof DamagedData)) throw error;
      reason = error.message;
      logger.error({ err: error }, 'engine unavailable, retrying');
    },
  });
  return { done, unavailable: () => reason };
}
