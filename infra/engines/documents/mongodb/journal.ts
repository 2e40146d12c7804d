import DataLoader from 'dataloader';
import type { Collection, Db } from 'mongodb';
import type { DuplicateKey } from '../../../../contracts/ports/documents';
import { apply } from './apply';
import { isDuplicate } from './errors';
import type { Intent, Operation } from './intent';
import { CHECKPOINTS, COMMIT_PARTS, COMMITS } from './stored-document';

/** A checkpoint. While it has an intent, a commit is decided but not yet applied completely. */
export interface CheckpointRecord {
  readonly _id: string;
  /** Incremented by each commit, which expects the previous revision. */
  readonly revision: number;
  /** As JSON; null until the first commit is applied. */
  readonly value: string | null;
  readonly intent?: Intent;
}

/** Where an intent is stored: with its checkpoint or, for a commit without one, under the number of the commit. */
export type IntentRef = { readonly checkpoint: string } | { readonly commit: number };

/** A commit without a checkpoint. Without an intent it is a tombstone: an insert that arrives later fails. */
interface StandaloneCommit {
  readonly _id: number;
  readonly createdAt: Date;
  readonly intent?: Intent;
}

interface CommitPart {
  readonly _id: string;
  readonly createdAt: Date;
  readonly operations: readonly Operation[];
}

/** The write-ahead journal: stores commits before they are applied, and finds those that need recovery. */
export interface Journal {
  /** Of the intent, only the number of its commit. */
  checkpoint(name: string): Promise<CheckpointRecord | null>;
  /** Stores further operations of an intent. To be called before the intent is stored. */
  storeParts(commit: number, parts: readonly (readonly Operation[])[]): Promise<void>;
  /**
   * Stores the intent, or the value: the commit is now decided. Null deletes the checkpoint. False when another commit has
   * changed it.
   */
  compareAndSet(
    name: string,
    found: CheckpointRecord | null,
    next: Partial<CheckpointRecord> | null,
  ): Promise<boolean>;
  /** Stores the intent of a commit without a checkpoint: it is now decided. */
  insertStandalone(intent: Intent): Promise<void>;
  /** Applies a decided commit and removes its intent. */
  complete(
    ref: IntentRef,
    intent: Intent,
    operations: readonly Operation[],
    recovered: boolean,
  ): Promise<DuplicateKey | null>;
  /** Completes a commit if it was decided; otherwise makes sure that it never will be. */
  recover(ref: IntentRef): Promise<void>;
  /** As `recover`, for readers: those that come while it runs share it, so that many do not slow the writer down. */
  recoverForReaders(ref: IntentRef): Promise<void>;
  /** All decided commits that are not complete. */
  pending(): Promise<readonly { readonly ref: IntentRef; readonly commit: number }[]>;
  /** Removes parts and tombstones of commits that were never decided. */
  removeAbandoned(before: Date): Promise<void>;
}

const partIds = ({ commit, parts }: Intent): string[] =>
  Array.from({ length: parts }, (_, i) => `${commit}/${i + 1}`);

/** @param notify called with the operations of a completed commit */
export function openJournal(db: Db, notify: (operations: readonly Operation[]) => void): Journal {
  const checkpoints: Collection<CheckpointRecord> = db.collection(CHECKPOINTS);
  const commits: Collection<StandaloneCommit> = db.collection(COMMITS);
  const parts: Collection<CommitPart> = db.collection(COMMIT_PARTS);

  /** What is read at the same time is one query: a status reads hundreds. */
  const loadCheckpoint = new DataLoader<string, CheckpointRecord | null>(
    async names => {
      const found = await checkpoints
        .find({ _id: { $in: [...names] } }, { projection: { revision: 1, value: 1, 'intent.commit': 1 } })
        .toArray();
      const records = new Map(found.map(record => [record._id, record]));
      return names.map(name => records.get(name) ?? null);
    },
    { cache: false },
  );

  const recoveries = new Map<string, Promise<void>>();

  const findIntent = async (ref: IntentRef): Promise<Intent | undefined> =>
    'checkpoint' in ref
      ? (await checkpoints.findOne({ _id: ref.checkpoint }))?.intent
      : (await commits.findOne({ _id: ref.commit }))?.intent;

  const removeIntent = async (ref: IntentRef, intent: Intent): Promise<void> => {
    const { commit, checkpoint } = intent;
    if ('commit' in ref) await commits.deleteOne({ _id: commit });
    else {
      const decided = { _id: ref.checkpoint, 'intent.commit': commit };
      await (checkpoint === null
        ? checkpoints.deleteOne(decided)
        : checkpoints.updateOne(decided, { $set: { value: checkpoint }, $unset: { intent: '' } }));
    }
    if (intent.parts > 0) await parts.deleteMany({ _id: { $in: partIds(intent) } });
  };

  /** Null when another client has completed the commit in the meantime. */
  const loadOperations = async (intent: Intent): Promise<readonly Operation[] | null> => {
    const found = await parts.find({ _id: { $in: partIds(intent) } }).toArray();
    if (found.length < intent.parts) return null;
    const byId = new Map(found.map(part => [part._id, part.operations]));
    return [intent.operations, ...partIds(intent).map(id => byId.get(id)!)].flat();
  };

  /** Inserts a tombstone, so that the insert of an intent that is still on its way fails. */
  const insertTombstone = async (commit: number): Promise<void> => {
    try {
      await commits.insertOne({ _id: commit, createdAt: new Date() });
    } catch (error) {
      if (!isDuplicate(error)) throw error;
    }
  };

  const journal: Journal = {
    checkpoint: name => loadCheckpoint.load(name),
    storeParts: async (commit, further) => {
      const createdAt = new Date();
      for (const [i, operations] of further.entries())
        await parts.insertOne({ _id: `${commit}/${i + 1}`, createdAt, operations });
    },
    compareAndSet: async (name, found, next) => {
      if (found) {
        const { _id, revision, value } = found;
        // The value too: a checkpoint that was deleted and created since begins at the first revision.
        const unchanged = { _id, revision, value, intent: { $exists: false } };
        if (!next) return (await checkpoints.deleteOne(unchanged)).deletedCount === 1;
        const updated = await checkpoints.updateOne(unchanged, { $set: { ...next, revision: revision + 1 } });
        return updated.matchedCount === 1;
      }
      if (!next) return true;
      try {
        await checkpoints.insertOne({ _id: name, revision: 1, value: null, ...next });
        return true;
      } catch (error) {
        if (!isDuplicate(error)) throw error;
        return false;
      }
    },
    insertStandalone: async intent => {
      await commits.insertOne({ _id: intent.commit, createdAt: new Date(), intent });
    },
    complete: async (ref, intent, operations, recovered) => {
      const refused = await apply(db, intent, operations, recovered);
      await removeIntent(ref, intent);
      notify(operations);
      return refused;
    },
    recover: async ref => {
      if ('commit' in ref) await insertTombstone(ref.commit);
      const intent = await findIntent(ref);
      const operations = intent && (await loadOperations(intent));
      if (operations) await journal.complete(ref, intent, operations, true);
    },
    recoverForReaders: ref => {
      const key = JSON.stringify(ref);
      const running = recoveries.get(key) ?? journal.recover(ref).finally(() => recoveries.delete(key));
      recoveries.set(key, running);
      return running;
    },
    pending: async () => {
      const projection = { 'intent.commit': 1 };
      const hasIntent = { 'intent.commit': { $exists: true } };
      const withCheckpoint = await checkpoints.find(hasIntent, { projection }).toArray();
      const standalone = await commits.find(hasIntent, { projection }).toArray();
      return [
        ...withCheckpoint.map(({ _id, intent }) => ({ ref: { checkpoint: _id }, commit: intent!.commit })),
        ...standalone.map(({ _id }) => ({ ref: { commit: _id }, commit: _id })),
      ];
    },
    removeAbandoned: async before => {
      await parts.deleteMany({ createdAt: { $lt: before } });
      await commits.deleteMany({ createdAt: { $lt: before }, intent: { $exists: false } });
    },
  };
  return journal;
}
