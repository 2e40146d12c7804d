import type { AnyBulkWriteOperation, Collection as MongoCollection, Db } from 'mongodb';
import type { Logger } from 'pino';
import { readJson } from '../../../../contracts/json/read-json';
import type { Checkpoint } from '../../../../contracts/ports/documents';
import { documentIn } from '../body';
import type { Collection } from '../collection';
import { findByIds } from './by-id';
import type { CatalogEntry } from './catalog';
import { checkpointText } from './checkpoints';
import { countAll } from './counters';
import { build, create } from './declare';
import { DUPLICATE_KEY, ignoring } from './errors';
import { exclusively } from './exclusively';
import { CATALOG, CHECKPOINTS, toStored } from './stored-document';

/*
 * Before commits were transactions of the server, a document was stored as text, with the number of its commit and the keys of
 * its indexes beside it, and a commit as an intent, which was then applied. Everything is taken over: not all documents can be
 * computed again.
 */

interface OldDocument {
  readonly _id: string;
  readonly commit: number;
  readonly keys: object;
  /** Missing in a document that was deleted. */
  readonly body?: string;
}

interface Operation {
  readonly collection: string;
  readonly id: string;
  readonly body: string | null;
}

interface WithIntent {
  readonly _id: string | number;
  readonly value?: string | null;
  readonly intent?: {
    readonly commit: number;
    readonly checkpoint: string | null;
    readonly operations: readonly Operation[];
    readonly parts: number;
  };
}

/** Numbered the commits of the old layout, which a database has as long as this exists. */
const SEQUENCE = '_sequence';
const COMMITS = '_commits';
const COMMIT_PARTS = '_commit_parts';

const PAGE = 1_000;

/** Documents of the new layout may have one of these fields, but not in this way. */
const OLD = {
  commit: { $type: 'number' },
  keys: { $type: 'object' },
  $or: [{ body: { $type: 'string' } }, { body: { $exists: false } }],
} as const;

/** Takes over a database of the old layout; one client does, and others wait for it. All older programs must have been stopped. */
export async function takeOverOldLayout(db: Db, logger?: Pick<Logger, 'info'>): Promise<void> {
  const isDone = (): boolean => false;
  await exclusively(db, SEQUENCE, 'commits', isDone, async () => {
    logger?.info('documents of an older version are taken over');
    const collections = await takeOver(db);
    await db.collection(SEQUENCE).deleteMany({});
    logger?.info({ collections }, 'documents of an older version have been taken over');
  });
}

/** @returns the number of collections */
async function takeOver(db: Db): Promise<number> {
  const collections = await convertCatalog(db);
  // Documents of the new layout are all alike to a unique index of the old one: none may be left.
  for (const { _id: name } of collections) {
    await create(db, name);
    const indexes = await db.collection(name).indexes();
    for (const { name: of } of indexes) if (of !== '_id_') await db.collection(name).dropIndex(of!);
  }
  await applyIntents(db);
  for (const { _id: name, indexes, counts } of collections) {
    await convert(db.collection(name));
    for (const index of indexes) await build(db.collection(name), index);
    for (const counted of counts) await countAll(db, name, counted);
  }
  return collections.length;
}

/** Its entries were texts. */
async function convertCatalog(db: Db): Promise<CatalogEntry[]> {
  const entries = db.collection<{ _id: string; collection?: string }>(CATALOG);
  for (const { _id, collection } of await entries.find({ collection: { $exists: true } }).toArray()) {
    const { fields, indexes, counts } = readJson(collection!) as Collection;
    await entries.replaceOne({ _id }, { fields, indexes, counts } as object);
  }
  return db.collection<CatalogEntry>(CATALOG).find().toArray();
}

/** Completes the commits that were decided and not yet applied, in the order of their numbers. */
async function applyIntents(db: Db): Promise<void> {
  const checkpoints = db.collection<WithIntent>(CHECKPOINTS);
  const commits = db.collection<WithIntent>(COMMITS);
  const stored = await checkpoints.find().toArray();
  const intents = [...stored, ...(await commits.find().toArray())].flatMap(({ intent }) => intent ?? []);
  for (const { commit, operations, parts } of intents.sort((a, b) => a.commit - b.commit)) {
    const ids = Array.from({ length: parts }, (_, i) => `${commit}/${i + 1}`);
    const found = await findByIds<{ _id: string; operations: Operation[] }>(db, COMMIT_PARTS, ids);
    const others = [...found.values()].flatMap(part => part.operations);
    for (const { collection, id, body } of [...operations, ...others]) {
      const document = { commit, keys: {}, ...(body !== null && { body }) };
      // One that is there, and not from before, is of a later commit, or this one.
      await db
        .collection<OldDocument>(collection)
        .replaceOne({ _id: id, commit: { $lt: commit } }, document, { upsert: true })
        .catch(ignoring(DUPLICATE_KEY));
    }
  }
  // What was applied keeps its number until then, and is not applied again over what came later.
  await commits.deleteMany({});
  for (const { _id, value, intent } of stored) {
    const text = intent ? intent.checkpoint : value;
    if (text) await checkpoints.replaceOne({ _id }, { value: checkpointText(readJson(text) as Checkpoint) });
    else await checkpoints.deleteOne({ _id });
  }
  await db.collection(COMMIT_PARTS).deleteMany({});
}

async function convert(documents: MongoCollection<OldDocument>): Promise<void> {
  const old = documents.find(OLD as object, { batchSize: PAGE });
  while (await old.hasNext()) {
    const operations = old
      .readBufferedDocuments()
      .map(({ _id, commit, body }): AnyBulkWriteOperation<OldDocument> => {
        if (body === undefined) return { deleteOne: { filter: { _id, commit } } };
        const replacement = toStored(documentIn(body)) as unknown as OldDocument;
        return { replaceOne: { filter: { _id, commit }, replacement } };
      });
    await documents.bulkWrite(operations, { ordered: false });
  }
}
