import type { ClientSession, Collection as MongoCollection, Db } from 'mongodb';
import { canonicalJson } from '../../../../contracts/json/canonical-json';
import type { JsonObject } from '../../../../contracts/json/json';
import { readJson } from '../../../../contracts/json/read-json';
import { type Checkpoint, CheckpointMoved, type Commit } from '../../../../contracts/ports/documents';
import DataLoader from 'dataloader';
import { isDuplicate } from './errors';
import { CHECKPOINTS } from './stored-document';

export interface StoredCheckpoint {
  readonly _id: string;
  readonly value: string;
}

/** Canonical, so that equal ones are one text. Text, since names of topics may contain what names of BSON cannot. */
export function checkpointText(checkpoint: Checkpoint): string {
  return canonicalJson(checkpoint as JsonObject);
}

export interface Checkpoints {
  read(name: string): Promise<Checkpoint | null>;
  /** One write, alone or in a transaction. @throws CheckpointMoved */
  move(checkpoint: NonNullable<Commit['checkpoint']>, session?: ClientSession): Promise<void>;
}

export function openCheckpoints(db: Db): Checkpoints {
  const checkpoints: MongoCollection<StoredCheckpoint> = db.collection(CHECKPOINTS);

  /** What is read at the same time is one query: a status reads hundreds. */
  const loader = new DataLoader<string, Checkpoint | null>(
    async names => {
      const found = await checkpoints.find({ _id: { $in: [...names] } }).toArray();
      const values = new Map(found.map(({ _id, value }) => [_id, readJson(value) as Checkpoint]));
      return names.map(name => values.get(name) ?? null);
    },
    { cache: false },
  );

  const create = async (name: string, value: string, options: { session?: ClientSession }): Promise<void> => {
    try {
      await checkpoints.insertOne({ _id: name, value }, options);
    } catch (error) {
      throw isDuplicate(error) ? new CheckpointMoved(name) : error;
    }
  };

  return {
    read: name => loader.load(name),
    async move({ name, value, expect }, session) {
      const options = session ? { session } : {};
      const next = value && checkpointText(value);
      if (expect === null && next) return create(name, next, options);
      if (expect === null) {
        if (await checkpoints.findOne({ _id: name }, options)) throw new CheckpointMoved(name);
        return;
      }
      const found = expect === undefined ? { _id: name } : { _id: name, value: checkpointText(expect) };
      const upsert = expect === undefined;
      const count = next
        ? (await checkpoints.updateOne(found, { $set: { value: next } }, { ...options, upsert })).matchedCount
        : (await checkpoints.deleteOne(found, options)).deletedCount;
      if (count === 0 && expect !== undefined) throw new CheckpointMoved(name);
    },
  };
}
