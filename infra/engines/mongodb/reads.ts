import type { AbstractCursor, Db, FindOptions } from 'mongodb';

/** @param options such as the transaction in which they are read, and the fields that are */
export async function findByIds<Stored extends { readonly _id: string }>(
  db: Db,
  collection: string,
  ids: readonly string[],
  options: Pick<FindOptions, 'projection' | 'session'> = {},
): Promise<Map<string, Stored>> {
  if (ids.length === 0) return new Map();
  const found = db
    .collection<{ _id: string }>(collection)
    .find<Stored>({ _id: { $in: ids } }, { ...options, batchSize: ids.length + 1 });
  return new Map((await found.toArray()).map(stored => [stored._id, stored]));
}

/** As the server sends it: its `batchSize` at a time. */
export async function* pagesOf<Found>(cursor: AbstractCursor<Found>): AsyncGenerator<Found[]> {
  while (await cursor.hasNext()) yield cursor.readBufferedDocuments();
}
