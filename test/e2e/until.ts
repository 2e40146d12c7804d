import { setTimeout as sleep } from 'node:timers/promises';

const PAUSE_MS = 50;

/** Looks until what is seen will do; fails with what was seen last. A look that throws counts as nothing seen. */
export async function until<T>(
  look: () => T | Promise<T>,
  good: (seen: T) => boolean,
  patience = 60_000,
): Promise<T> {
  let last: unknown;
  for (const deadline = Date.now() + patience; ;) {
    try {
      const seen = await look();
      if (good(seen)) return seen;
      last = seen;
    } catch (error) {
      last = error;
    }
    if (Date.now() > deadline)
      throw new Error(
        `not within ${patience} ms; last seen: ${last instanceof Error ? last.stack : JSON.stringify(last)}`,
      );
    await sleep(PAUSE_MS);
  }
}
