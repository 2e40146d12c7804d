import { setTimeout } from 'node:timers/promises';
import { createBackoff } from './backoff';
import { EngineAccessDenied } from '../engine/engine-access-denied';

/** Waits, or returns early when the signal fires. */
export async function sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
  await setTimeout(milliseconds, undefined, { signal }).catch(() => undefined);
}

export interface RetryOptions {
  /** Ends the retries; an error of the work after that is dropped. */
  readonly signal: AbortSignal;
  /** Called before each wait. What it throws ends the retries. */
  onError(error: unknown): void;
  /** The longest wait in milliseconds; default 10 s. */
  readonly maxDelayMs?: number;
}

const MIN_DELAY_MS = 100;
const MAX_DELAY_MS = 10_000;

/**
 * Runs the work repeatedly until the signal: immediately when it returns, with exponential back-off when it throws. The
 * work calls `onProgress` whenever it succeeds in part. That resets the back-off once the work has run for as long as it
 * waited after its last failure: what fails again after each small success is asked less and less, too.
 * @throws EngineAccessDenied, which only an operator can correct; what `onError` throws
 */
export async function retryForever(
  work: (onProgress: () => void) => Promise<void>,
  { signal, onError, maxDelayMs = MAX_DELAY_MS }: RetryOptions,
): Promise<void> {
  const backoff = createBackoff(MIN_DELAY_MS, maxDelayMs);
  let healthyAt = -Infinity;
  const onProgress = (): void => {
    if (performance.now() >= healthyAt) backoff.reset();
  };
  while (!signal.aborted) {
    try {
      await work(onProgress);
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof EngineAccessDenied) throw error;
      onError(error);
      const delayMs = backoff.next();
      await sleep(delayMs, signal);
      healthyAt = performance.now() + delayMs;
    }
  }
}
