import type { Commit } from '../../../../contracts/ports/documents';
import { isBusy } from '../../sqlite/errors';
import { groupCommit } from '../../sqlite/group-commit';
import type { Catalog } from './catalog';
import { encode, type EncodedCommit } from './encode';
import { StaleEncoding } from './write-transaction';

export interface CommitBatcher {
  /** @throws what the transaction throws */
  add(commit: Commit): Promise<void>;
  /** Resolves when no commit is pending. */
  drained(): Promise<void>;
}

export interface PreparedCommit extends EncodedCommit {
  readonly writes: Commit['writes'];
}

/** Bodies in one transaction: bounds how long the next commit waits. */
const MAX_BATCH_BYTES = 8 * 1024 * 1024;

/** One commit of a batch was refused, and the batch with it: each commit is retried in a transaction of its own. */
class BatchRefused extends Error {
  override readonly name = 'BatchRefused';
}

/**
 * Group commit: commits that arrive while a transaction is running share the next one, and with it one flush to disk.
 * Typical for several projections, or the partitions of a topic.
 * @param transact applies the commits in order, all or none, once the write lock is free
 */
export function batchCommits(
  catalog: Catalog,
  transact: (commits: readonly PreparedCommit[]) => Promise<void>,
): CommitBatcher {
  const batches = groupCommit<PreparedCommit & { readonly alone: boolean }, null>({
    commit: async commits => {
      try {
        await transact(commits);
        return commits.map(() => null);
      } catch (error) {
        throw commits.length > 1 && !isBusy(error) ? new BatchRefused('', { cause: error }) : error;
      }
    },
    weight: ({ alone, bytes }) => (alone ? Infinity : bytes),
    capacity: MAX_BATCH_BYTES,
  });

  return {
    add: async commit => {
      for (let alone = false; ; alone = true) {
        try {
          await batches.add({ ...encode(commit, catalog.find), writes: commit.writes, alone });
          return;
        } catch (error) {
          if (error instanceof StaleEncoding) catalog.refresh();
          else if (!(error instanceof BatchRefused)) throw error;
        }
      }
    },
    drained: batches.drained,
  };
}
