import { setTimeout } from 'node:timers/promises';

/** Waits, or returns early when the signal fires. */
export const pause = async (milliseconds: number, signal: AbortSignal): Promise<void> => {
  await setTimeout(milliseconds, undefined, { signal }).catch(() => undefined);
};
