import { giveUpExpired } from './claim';
import type { Context } from './context';
import { discard } from './generation';
import { pause } from './pause';
import { changeRecord } from './record';

const EVERY = 5_000;

/** Removes, until the signal, generations that reads have left and those whose rebuild died. */
export async function reap(
  context: Context,
  projections: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    for (const projection of projections)
      await reapOne(context, projection).catch((error: unknown) =>
        context.logger.warn({ projection, error }, 'could not remove an old generation'),
      );
    await pause(EVERY, signal);
  }
}

/** Removed first and forgotten after, so that what a crash leaves is removed the next time. */
async function reapOne(context: Context, projection: string): Promise<void> {
  const { documents, records, clock } = context;
  const record = await records.get(projection);
  const now = clock().getTime();
  if (record?.building && record.building.until < now) await giveUpExpired(context, projection);
  for (const old of record?.retired ?? []) {
    if (old.until > now) continue;
    await discard(documents, old);
    await changeRecord(documents, projection, current => {
      const retired = current!.retired.filter(({ generation }) => generation !== old.generation);
      return { ...current!, retired };
    });
  }
}
