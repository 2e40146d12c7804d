import { sleep } from '../../contracts/retry/retry';
import { releaseExpired } from './claim';
import type { Context } from './context';
import { discard } from './generation';
import { changeRecord } from './projection-record';

const CLEANUP_MS = 5_000;

/** Removes, until the signal, generations without readers and those whose rebuild has died. */
export async function removeOldGenerations(
  context: Context,
  projections: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    for (const projection of projections)
      await removeOldGenerationsOf(context, projection).catch((error: unknown) =>
        context.logger.warn({ projection, err: error }, 'old generation not removed'),
      );
    await sleep(CLEANUP_MS, signal);
  }
}

/** The record is changed last, so that what a crash leaves is removed the next time. */
async function removeOldGenerationsOf(context: Context, projection: string): Promise<void> {
  const { documents, records, clock } = context;
  const record = await records.get(projection);
  const now = clock().getTime();
  if (record?.building && record.building.expiresAt < now) await releaseExpired(context, projection);
  for (const old of record?.retired ?? []) {
    if (old.until > now) continue;
    await discard(documents, old);
    await changeRecord(documents, projection, current => {
      const retired = current!.retired.filter(({ generation }) => generation !== old.generation);
      return { ...current!, retired };
    });
  }
}
