import type { Views } from './views';

/**
 * How many documents a collection has, and how many of them a source of the day has begun, of one that counts them by `source`.
 * None as long as its documents are of an earlier version, which do not say it.
 */
export async function countBySource(
  views: Pick<Views, 'count' | 'isOutdated'>,
  collection: string,
  source: string,
): Promise<{ readonly ofAll: number; readonly fromSource: number }> {
  if (await views.isOutdated([collection])) return { ofAll: 0, fromSource: 0 };
  const [ofAll, fromSource] = await Promise.all([
    views.count(collection),
    views.count(collection, { source }),
  ]);
  return { ofAll, fromSource };
}
