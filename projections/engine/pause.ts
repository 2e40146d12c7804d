import { setTimeout } from 'node:timers/promises';

/** Waits, or returns early when the signal fires. */
export async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await setTimeout(milliseconds, undefined, { signal }).catch(() => undefined);
}
