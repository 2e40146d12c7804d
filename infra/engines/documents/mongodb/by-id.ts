import DataLoader from 'dataloader';
import type { Db, FindOptions } from 'mongodb';

/** Of one query. */
const MAX_IDS = 1_000;

/** @param options such as the transaction in which they are read, and the fields that are */
export async function findByIds<Stored extends { readonly _id: string }>(
  db: Db,
  collection: string,
  ids: readonly string[],
  options: Pick<FindOptions, 'projection' | 'session'> = {},
): Promise<Map<string, Stored>> {
  const found = new Map<string, Stored>();
  for (let i = 0; i < ids.length; i += MAX_IDS) {
    const filter = { _id: { $in: ids.slice(i, i + MAX_IDS) } };
    const page = db.collection<{ _id: string }>(collection).find(filter, { ...options, batchSize: MAX_IDS });
    for await (const stored of page) found.set(stored._id, stored as unknown as Stored);
  }
  return found;
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
