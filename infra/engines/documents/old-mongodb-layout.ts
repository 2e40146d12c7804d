import type { AnyBulkWriteOperation, Collection as MongoCollection, Db } from 'mongodb';
import type { Logger } from 'pino';
import { readJson } from '../../../contracts/json/read-json';
import type { Checkpoint, Documents } from '../../../contracts/ports/documents';
import { close, connect, databaseOf } from '../mongodb/connect';
import { exclusively, type Fenced } from '../mongodb/exclusively';
import { findByIds, pagesOf } from '../mongodb/reads';
import { DUPLICATE_KEY, ignoring } from '../mongodb/server-errors';
import { documentIn } from './body';
import type { Collection } from './collection';
import type { CatalogEntry } from './mongodb/catalog';
import { checkpointText } from './mongodb/checkpoints';
import { countAll } from './mongodb/counters';
import { build, create } from './mongodb/declare';
import { type MongoDocumentsOptions, openMongoDocuments } from './mongodb/mongodb-documents';
import { OldLayout, SEQUENCE } from './mongodb/prepare';
import { CATALOG, CHECKPOINTS, COUNTERS, toStored } from './mongodb/stored-document';

/*
 * In version 0.1, where commits were no transactions of the server, a document was stored as text, with the number of its commit
 * and the keys of its indexes beside it, and a commit as an intent, which was then applied. Everything is taken over: not all
 * documents can be computed again, such as the keys of personal texts.
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

const COMMITS = '_commits';
const COMMIT_PARTS = '_commit_parts';

const PAGE = 1_000;

/** Documents of the new layout may have one of these fields, but not in this way. */
const OLD = {
  commit: { $type: 'number' },
  keys: { $type: 'object' },
  $or: [{ body: { $type: 'string' } }, { body: { $exists: false } }],
} as const;

interface Options extends MongoDocumentsOptions {
  readonly logger: Pick<Logger, 'info'>;
}

/** As `openMongoDocuments`. A database of version 0.1 is taken over before; all programs of that must have been stopped. */
export async function openMongoDocumentsOfAnyLayout({ logger, ...options }: Options): Promise<Documents> {
  try {
    return await openMongoDocuments(options);
  } catch (error) {
    if (!(error instanceof OldLayout)) throw error;
  }
  await connect(options.url, async client => {
    await takeOver(databaseOf(client, options.url, options.database), logger);
    await close(client);
  });
  return openMongoDocuments(options);
}

/** One client does, and others wait for it. */
async function takeOver(db: Db, logger: Options['logger']): Promise<void> {
  await exclusively(db, SEQUENCE, 'commits', async (_, fenced) => {
    logger.info('documents of an older version are taken over');
    const collections = await convertAll(db, fenced);
    await db.collection(SEQUENCE).deleteMany({});
    logger.info({ collections }, 'documents of an older version have been taken over');
  });
}

/** @returns the number of collections */
async function convertAll(db: Db, fenced: Fenced): Promise<number> {
  const collections = await convertCatalog(db);
  // Documents of the new layout are all alike to a unique index of the old one: none may be left.
  for (const { _id: name } of collections) {
    await create(db, name);
    const indexes = await db.collection(name).indexes();
    for (const { name: of } of indexes) if (of !== '_id_') await db.collection(name).dropIndex(of!);
  }
  await applyIntents(db);
  await db.collection(COUNTERS).deleteMany({ collection: { $exists: true } });
  for (const { _id: name, indexes, counts } of collections) {
    await convert(db.collection(name));
    await build(db.collection(name), indexes);
    for (const counted of counts) await countAll(db, name, counted, fenced);
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
  for await (const page of pagesOf(documents.find(OLD as object, { batchSize: PAGE }))) {
    const operations = page.map(({ _id, commit, body }): AnyBulkWriteOperation<OldDocument> => {
      if (body === undefined) return { deleteOne: { filter: { _id, commit } } };
      const replacement = toStored(documentIn(body)) as unknown as OldDocument;
      return { replaceOne: { filter: { _id, commit }, replacement } };
    });
    await documents.bulkWrite(operations, { ordered: false });
  }
}
