import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { EngineUnavailable } from '../../../contracts/engine-unavailable';
import { persevere } from '../../../services/persevere';

/** Work that outlives its engines. */
export interface Enduring {
  /** Settles when the work has ended after the signal; rejects with what only an operator can mend. */
  readonly done: Promise<void>;
  /** Why it does not run; null when it does. */
  held(): string | null;
}

/** Milliseconds after which work that has not failed counts as running. */
const UNDER_WAY = 10_000;

/** Begins the work again, after longer and longer waits, for as long as an engine that it needs is away. */
export function endure(
  work: () => Promise<unknown>,
  { logger, signal }: { readonly logger: Logger; readonly signal: AbortSignal },
): Enduring {
  let held: string | null = null;
  const attempt = async (onProgress: () => void): Promise<void> => {
    const ended = new AbortController();
    sleep(UNDER_WAY, undefined, { signal: AbortSignal.any([signal, ended.signal]) }).then(
      () => {
        held = null;
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
  const done = persevere(signal, attempt, error => {
    if (!(error instanceof EngineUnavailable)) throw error;
    held = error.message;
    logger.error({ error }, 'work is held up and begins again');
  });
  return { done, held: () => held };
}
