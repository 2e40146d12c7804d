import { isDeepStrictEqual } from 'node:util';
import { Mutex } from 'async-mutex';
import type { Db } from 'mongodb';
import {
  type Checkpoint,
  CheckpointMoved,
  type Commit,
  type DuplicateKey,
} from '../../../../contracts/ports/documents';
import { validateWrites } from '../validate-writes';
import { apply } from './apply';
import type { Catalog, Collection } from './catalog';
import { type Intent, type Operation, operationsOf, partsOf, uniqueFields } from './intent';
import type { CheckpointRecord, IntentRef, Journal } from './journal';
import { readCheckpoint } from './recovery';
import type { Sequence } from './sequence';
import { validateCommit } from './validate-commit';
import { readJson } from '../../../../contracts/json/read-json';

export interface Commits {
  commit(commit: Commit): Promise<void>;
  checkpoint(name: string): Promise<Checkpoint | null>;
  /** Completes the commits of this client that failed half-way. */
  recover(): Promise<void>;
}

const valueOf = (record: CheckpointRecord | null): Checkpoint | null =>
  record && record.value !== null ? (readJson(record.value) as Checkpoint) : null;

/**
 * Commits without transactions. The intent of a commit is stored in one document, with its checkpoint; this write decides
 * whether the commit happens. From then on its writer, or any client that finds it later, applies it completely.
 */
export function createCommits(deps: {
  readonly db: Db;
  readonly catalog: Catalog;
  readonly journal: Journal;
  readonly sequence: Sequence;
  /** Names the counters that this client changes in commits without a checkpoint. */
  readonly clientWriter: string;
  readonly notify: (operations: readonly Operation[]) => void;
}): Commits {
  const { db, catalog, journal, sequence, clientWriter, notify } = deps;
  const unfinished = new Set<IntentRef>();
  /** Standalone commits of a client change the same counters, and so run one at a time. */
  const standalone = new Mutex();

  const recover = async (): Promise<void> => {
    for (const ref of [...unfinished]) {
      await journal.recover(ref);
      unfinished.delete(ref);
    }
  };

  /** A commit that fails may be decided, or may still be when its last request arrives: it must be recovered first. */
  const recoverable = async <Result>(ref: IntentRef, work: () => Promise<Result>): Promise<Result> => {
    try {
      return await work();
    } catch (error) {
      unfinished.add(ref);
      throw error;
    }
  };

  const prepareIntent = async (
    operations: readonly Operation[],
    collections: ReadonlyMap<string, Collection>,
    writer: string,
    checkpoint: string | null,
  ): Promise<Intent> => {
    const counterChanges = await validateCommit(db, collections, operations, writer);
    const commit = await sequence.next();
    const [first, ...further] = partsOf(operations);
    await journal.storeParts(commit, further);
    return {
      commit,
      checkpoint,
      operations: first!,
      parts: further.length,
      counterChanges,
      ordered: [...collections.values()]
        .filter(spec => uniqueFields(spec).length > 0)
        .map(({ name }) => name),
    };
  };

  const commitWithCheckpoint = async ({
    writes,
    checkpoint,
  }: Required<Commit>): Promise<DuplicateKey | null> => {
    const { name, expect } = checkpoint;
    const value = checkpoint.value && JSON.stringify(checkpoint.value);
    for (;;) {
      const loading = catalog.fresh(new Set(writes.map(({ collection }) => collection)));
      // CheckpointMoved takes precedence: the collections of an abandoned generation have been dropped.
      loading.catch(() => undefined);
      const record = await readCheckpoint(journal, name);
      if (expect !== undefined && !isDeepStrictEqual(valueOf(record), expect))
        throw new CheckpointMoved(name);
      const collections = await loading;
      if (writes.length === 0) {
        if (await journal.compareAndSet(name, record, value === null ? null : { value })) return null;
        continue;
      }
      const operations = operationsOf(writes, collections);
      const intent = await prepareIntent(operations, collections, name, value);
      const ref = { checkpoint: name };
      const done = await recoverable(ref, async () => {
        const decided = await journal.compareAndSet(name, record, { intent });
        return decided ? { refused: await journal.complete(ref, intent, operations, false) } : null;
      });
      if (done) return done.refused;
    }
  };

  const commitStandalone = ({ writes }: Commit): Promise<DuplicateKey | null> =>
    standalone.runExclusive(async () => {
      await recover();
      const collections = await catalog.fresh(new Set(writes.map(({ collection }) => collection)));
      const operations = operationsOf(writes, collections);
      const intent = await prepareIntent(operations, collections, clientWriter, null);
      // The write of one document is atomic and needs no intent.
      if (operations.length === 1 && intent.counterChanges.length === 0) {
        const refused = await apply(db, intent, operations, false);
        notify(operations);
        return refused;
      }
      const ref = { commit: intent.commit };
      return recoverable(ref, async () => {
        await journal.insertStandalone(intent);
        return journal.complete(ref, intent, operations, false);
      });
    });

  return {
    recover,
    commit: async ({ writes, checkpoint }) => {
      validateWrites(writes);
      await recover();
      if (!checkpoint && writes.length === 0) return;
      const refused = await (checkpoint
        ? commitWithCheckpoint({ writes, checkpoint })
        : commitStandalone({ writes }));
      if (refused) throw refused;
    },
    checkpoint: async name => {
      await recover();
      return valueOf(await readCheckpoint(journal, name));
    },
  };
}
