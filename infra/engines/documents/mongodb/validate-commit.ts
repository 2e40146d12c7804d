import type { Db } from 'mongodb';
import { DuplicateKey } from '../../../../contracts/ports/documents';
import type { Collection } from './catalog';
import { type CounterChange, counterChangesOf } from './counters';
import { type Operation, uniqueFields } from './intent';
import { type IndexKeys, keyIn, pathOf, type StoredDocument } from './stored-document';

const PAGE = 1_000;

/** The current keys of documents, by id. */
const loadKeys = async (db: Db, name: string, ids: readonly string[]): Promise<Map<string, IndexKeys>> => {
  const found = new Map<string, IndexKeys>();
  for (let i = 0; i < ids.length; i += PAGE) {
    const page = ids.slice(i, i + PAGE);
    const filter = { _id: { $in: page }, body: { $exists: true } };
    const documents = db.collection<StoredDocument>(name).find(filter, { projection: { keys: 1 } });
    for await (const { _id, keys } of documents) found.set(_id, keys);
  }
  return found;
};

/**
 * Checks in the order of the operations that each value of a unique index is free when it is taken. The index itself
 * would refuse a write only when the commit is decided and partly applied.
 * @throws DuplicateKey
 */
const checkUnique = async (
  db: Db,
  { name, indexes }: Collection,
  operations: readonly Operation[],
  before: ReadonlyMap<string, IndexKeys>,
): Promise<void> => {
  for (const { fields } of indexes.filter(({ unique }) => unique)) {
    const names = fields.map(([field]) => field);
    const valueOf = (keys: IndexKeys): string => JSON.stringify(names.map(field => keyIn(keys, field)));
    const puts = operations.filter(({ body }) => body !== null);
    const owners = new Map<string, string>();
    for (let i = 0; i < puts.length; i += PAGE) {
      const values = puts
        .slice(i, i + PAGE)
        .map(({ keys }) => Object.fromEntries(names.map(field => [pathOf(field), keyIn(keys, field)])));
      const found = db.collection<StoredDocument>(name).find({ $or: values }, { projection: { keys: 1 } });
      for await (const { _id, keys } of found) owners.set(valueOf(keys), _id);
    }
    for (const [id, keys] of before) owners.set(valueOf(keys), id);
    for (const { id, body, keys } of operations) {
      const old = before.get(id);
      if (old && owners.get(valueOf(old)) === id) owners.delete(valueOf(old));
      if (body === null) continue;
      const owner = owners.get(valueOf(keys));
      if (owner !== undefined && owner !== id) throw new DuplicateKey(`${name}: ${id} duplicates ${owner}`);
      owners.set(valueOf(keys), id);
    }
  }
};

/**
 * Checks the unique indexes and computes the changes of the counters, both from the current documents.
 * @throws DuplicateKey
 */
export async function validateCommit(
  db: Db,
  collections: ReadonlyMap<string, Collection>,
  operations: readonly Operation[],
  writer: string,
): Promise<CounterChange[]> {
  const changes: CounterChange[] = [];
  for (const collection of collections.values()) {
    const { name, counts } = collection;
    if (counts.length === 0 && uniqueFields(collection).length === 0) continue;
    const own = operations.filter(operation => operation.collection === name);
    const before = await loadKeys(
      db,
      name,
      own.map(({ id }) => id),
    );
    await checkUnique(db, collection, own, before);
    const documents = own.map(
      ({ id, body, keys }) => [before.get(id) ?? null, body === null ? null : keys] as const,
    );
    changes.push(...counterChangesOf(collection, writer, documents));
  }
  return changes;
}
