import { setTimeout as sleep } from 'node:timers/promises';

const MAX_AT_ONCE = 500;

/** Runs a step for each index, started at a steady rate; later where too many have not ended. @param rate per second */
export async function paced(
  count: number,
  rate: number,
  step: (index: number) => Promise<void>,
): Promise<void> {
  const began = performance.now();
  const running = new Set<Promise<void>>();
  let failure: { readonly error: unknown } | undefined;
  for (let index = 0; index < count && !failure; index++) {
    const early = began + (index / rate) * 1_000 - performance.now();
    if (early > 1) await sleep(early);
    while (running.size >= MAX_AT_ONCE) await Promise.race(running);
    const run = step(index)
      .catch((error: unknown) => void (failure ??= { error }))
      .finally(() => running.delete(run));
    running.add(run);
  }
  await Promise.all(running);
  if (failure) throw failure.error;
}
