import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AnyBulkWriteOperation, Collection, Db } from 'mongodb';
import type { Logger } from 'pino';
import { readJson } from '../../../../contracts/json/read-json';
import type { Checkpoint } from '../../../../contracts/ports/documents';
import { documentIn } from '../body';
import type { Catalog } from './catalog';
import { checkpointText, type StoredCheckpoint } from './checkpoints';
import { countAll } from './counters';
import { build } from './declare';
import { isDuplicate, isNoSuchCollection } from './errors';
import { CATALOG, CHECKPOINTS, type StoredDocument, toStored } from './stored-document';

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

interface Intent {
  readonly commit: number;
  readonly checkpoint: string | null;
  readonly operations: readonly {
    readonly collection: string;
    readonly id: string;
    readonly body: string | null;
    readonly keys: object;
  }[];
  readonly parts: number;
}

interface WithIntent<Id> {
  readonly _id: Id;
  readonly value?: string | null;
  readonly intent?: Intent;
}

/** Numbered the commits of the old layout, which a database has as long as this exists. */
const SEQUENCE = '_sequence';
const COMMITS = '_commits';
const COMMIT_PARTS = '_commit_parts';
const CLAIM = '_old_layout';

const PAGE = 1_000;
const CLAIM_MS = 60_000;
const POLL_MS = 500;

/** Takes over a database of the old layout; one client does, and others wait for it. All older programs must have been stopped. */
export async function takeOverOldLayout(
  db: Db,
  catalog: Catalog,
  logger?: Pick<Logger, 'info'>,
): Promise<void> {
  const owner = randomUUID();
  while (await db.collection(SEQUENCE).findOne({})) {
    if (!(await claim(db, owner))) {
      await sleep(POLL_MS);
      continue;
    }
    logger?.info('documents of an older version are taken over');
    await applyIntents(db);
    const names = await db.collection<{ _id: string }>(CATALOG).distinct('_id');
    for (const name of names) await convert(db, catalog, name, owner);
    for (const name of [COMMITS, COMMIT_PARTS, SEQUENCE, CLAIM]) await db.collection(name).deleteMany({});
    logger?.info({ collections: names.length }, 'documents of an older version have been taken over');
  }
}

/** False while another client has the claim. */
async function claim(db: Db, owner: string): Promise<boolean> {
  const claims = db.collection<{ _id: string; owner: string; until: number }>(CLAIM);
  const now = Date.now();
  const free = { _id: 'claim', $or: [{ owner }, { until: { $lt: now } }] };
  try {
    await claims.updateOne(free, { $set: { owner, until: now + CLAIM_MS } }, { upsert: true });
    return true;
  } catch (error) {
    if (!isDuplicate(error)) throw error;
    return false;
  }
}

/** Completes the commits that were decided and not yet applied, in the order of their numbers. */
async function applyIntents(db: Db): Promise<void> {
  const checkpoints = db.collection<WithIntent<string>>(CHECKPOINTS);
  const commits = db.collection<WithIntent<number>>(COMMITS);
  const pending = [
    ...(await checkpoints.find({ intent: { $exists: true } }).toArray()),
    ...(await commits.find({ intent: { $exists: true } }).toArray()),
  ].sort((a, b) => a.intent!.commit - b.intent!.commit);
  for (const { _id, intent } of pending) {
    await applyIntent(db, intent!);
    if (typeof _id === 'number') await commits.deleteOne({ _id });
    else if (intent!.checkpoint === null) await checkpoints.deleteOne({ _id });
    else
      await checkpoints.updateOne({ _id }, { $set: { value: intent!.checkpoint }, $unset: { intent: '' } });
  }
  await checkpoints.deleteMany({ value: null });
  for (const { _id, value } of await checkpoints.find().toArray()) {
    const canonical = { _id, value: checkpointText(readJson(value!) as Checkpoint) };
    await db.collection<StoredCheckpoint>(CHECKPOINTS).replaceOne({ _id }, canonical);
  }
}

async function applyIntent(db: Db, { commit, operations, parts }: Intent): Promise<void> {
  const ids = Array.from({ length: parts }, (_, i) => `${commit}/${i + 1}`);
  const found = await db
    .collection<{ _id: string; operations: Intent['operations'] }>(COMMIT_PARTS)
    .find({ _id: { $in: ids } })
    .toArray();
  for (const { collection, id, body, keys } of [...operations, ...found.flatMap(part => part.operations)]) {
    const documents = db.collection<OldDocument>(collection);
    const earlier = { _id: id, commit: { $lt: commit } };
    if (body === null) await documents.deleteOne(earlier);
    else
      await documents
        .updateOne(earlier, { $set: { commit, body, keys } }, { upsert: true })
        .catch((error: unknown) => {
          // A later commit has written it, or this one.
          if (!isDuplicate(error)) throw error;
        });
  }
}

const isOld = (stored: StoredDocument | OldDocument): stored is OldDocument =>
  typeof stored['commit'] === 'number' &&
  typeof stored['keys'] === 'object' &&
  ['string', 'undefined'].includes(typeof stored['body']);

/** Documents of the new layout are all alike to a unique index of the old one: none may be left. */
async function dropIndexes(documents: Collection<OldDocument>): Promise<void> {
  const indexes = await documents.indexes().catch((error: unknown) => {
    if (isNoSuchCollection(error)) return [];
    throw error;
  });
  for (const { name } of indexes) if (name !== '_id_') await documents.dropIndex(name!);
}

/** Replaces the documents, the indexes and the counters of a collection. */
async function convert(db: Db, catalog: Catalog, name: string, owner: string): Promise<void> {
  const documents = db.collection<OldDocument>(name);
  const { indexes, counts } = (await catalog.fresh([name])).get(name)!;
  await dropIndexes(documents);

  const convertPage = async (page: readonly OldDocument[]): Promise<void> => {
    await claim(db, owner);
    const operations = page.map(({ _id, commit, body }): AnyBulkWriteOperation<OldDocument> => {
      if (body === undefined) return { deleteOne: { filter: { _id, commit } } };
      const replacement = toStored(documentIn(body)) as unknown as OldDocument;
      return { replaceOne: { filter: { _id, commit }, replacement } };
    });
    if (operations.length > 0) await documents.bulkWrite(operations, { ordered: false });
  };

  let page: OldDocument[] = [];
  for await (const stored of documents.find({ commit: { $exists: true } })) {
    if (!isOld(stored)) continue;
    page.push(stored);
    if (page.length < PAGE) continue;
    await convertPage(page);
    page = [];
  }
  await convertPage(page);
  for (const index of indexes) await build(documents, index);
  for (const set of counts) await countAll(db, name, set);
}
