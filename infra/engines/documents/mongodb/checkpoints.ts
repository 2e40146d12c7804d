import DataLoader from 'dataloader';
import type { ClientSession, Db } from 'mongodb';
import { canonicalJson } from '../../../../contracts/json/canonical-json';
import type { JsonObject } from '../../../../contracts/json/json';
import { readJson } from '../../../../contracts/json/read-json';
import { type Checkpoint, CheckpointMoved, type Commit } from '../../../../contracts/ports/documents';
import { findByIds } from '../../mongodb/reads';
import { DUPLICATE_KEY, ignoring } from '../../mongodb/server-errors';
import { CHECKPOINTS } from './stored-document';

interface StoredCheckpoint {
  readonly _id: string;
  readonly value: string;
}

/** Canonical, so that equal ones are one text. Text, since names of topics may contain what names of BSON cannot. */
export function checkpointText(checkpoint: Checkpoint): string {
  return canonicalJson(checkpoint as JsonObject);
}

/** What is read at the same time is one query: a status reads hundreds of them. */
export function checkpointReader(db: Db): (name: string) => Promise<Checkpoint | null> {
  const read = async (names: readonly string[]): Promise<(Checkpoint | null)[]> => {
    const found = await findByIds<StoredCheckpoint>(db, CHECKPOINTS, names);
    const texts = names.map(name => found.get(name)?.value);
    return texts.map(text => (text === undefined ? null : (readJson(text) as Checkpoint)));
  };
  const loader = new DataLoader(read, { cache: false });
  return name => loader.load(name);
}

/** One write, alone or in a transaction. @throws CheckpointMoved */
export async function moveCheckpoint(
  db: Db,
  { name, value, expect }: NonNullable<Commit['checkpoint']>,
  options: { readonly session?: ClientSession } = {},
): Promise<void> {
  const checkpoints = db.collection<StoredCheckpoint>(CHECKPOINTS);
  const expected = expect ? checkpointText(expect) : { $exists: false };
  const found = { _id: name, ...(expect !== undefined && { value: expected }) };
  if (value) {
    const moved = await checkpoints
      .updateOne(found, { $set: { value: checkpointText(value) } }, { ...options, upsert: !expect })
      .catch(ignoring(DUPLICATE_KEY));
    if (moved && moved.matchedCount + moved.upsertedCount > 0) return;
  } else {
    if ((await checkpoints.deleteOne(found, options)).deletedCount > 0) return;
    if (!expect && !(await checkpoints.findOne({ _id: name }, options))) return;
  }
  throw new CheckpointMoved(name);
}
