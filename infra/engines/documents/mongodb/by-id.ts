import DataLoader from 'dataloader';
import type { Db, FindOptions } from 'mongodb';

/** @param options such as the transaction in which they are read, and the fields that are */
export async function findByIds<Stored extends { readonly _id: string }>(
  db: Db,
  collection: string,
  ids: readonly string[],
  options: Pick<FindOptions, 'projection' | 'session'> = {},
): Promise<Map<string, Stored>> {
  const found = db
    .collection<{ _id: string }>(collection)
    .find<Stored>({ _id: { $in: ids } }, { ...options, batchSize: ids.length + 1 });
  return new Map((await found.toArray()).map(stored => [stored._id, stored]));
}

/** What is read at the same time is one query: a status reads hundreds of checkpoints. */
export function loaderById<Stored extends { readonly _id: string }>(
  db: Db,
  collection: string,
  options: { readonly cache: boolean },
): DataLoader<string, Stored | undefined> {
  return new DataLoader(async ids => {
    const found = await findByIds<Stored>(db, collection, ids);
    return ids.map(id => found.get(id));
  }, options);
}
