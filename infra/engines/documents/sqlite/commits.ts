import { isBusy } from '../../sqlite/errors';
import { groupCommit } from '../../sqlite/group-commit';
import type { Commit } from '../../../../contracts/ports/documents';
import type { Catalog } from './catalog';
import { encode, type EncodedCommit } from './encode';
import { StaleLayout } from './tasks';

/** Commits on their way into one transaction. */
export interface Commits {
  /** @throws what the transaction throws */
  add(commit: Commit): Promise<void>;
  /** Resolves when everything added before has been settled. */
  drained(): Promise<void>;
}

export interface Ready extends EncodedCommit {
  readonly writes: Commit['writes'];
}

/** Bytes of bodies in one transaction: who commits next waits no longer than these take. */
const CAPACITY = 8 * 1024 * 1024;

/** One of several commits in a transaction was refused, and with it all of them: to be tried each in its own. */
class NotTogether extends Error {
  override readonly name = 'NotTogether';
}

/**
 * Commits that arrive while a transaction is under way share the next one, and with it the wait for the disk: those of
 * many projections, or of the partitions of a topic.
 * @param transact carries them out, in order and all or none, when the write lock is to be had
 */
export function shareTransactions(
  catalog: Catalog,
  transact: (commits: readonly Ready[]) => Promise<void>,
): Commits {
  const together = groupCommit<Ready & { readonly alone: boolean }, null>({
    commit: async commits => {
      try {
        await transact(commits);
        return commits.map(() => null);
      } catch (error) {
        throw commits.length > 1 && !isBusy(error) ? new NotTogether('', { cause: error }) : error;
      }
    },
    weight: ({ alone, bytes }) => (alone ? Infinity : bytes),
    capacity: CAPACITY,
  });

  return {
    add: async commit => {
      for (let alone = false; ; alone = true) {
        try {
          await together.add({ ...encode(commit, catalog.find), writes: commit.writes, alone });
          return;
        } catch (error) {
          if (error instanceof StaleLayout) catalog.refresh();
          else if (!(error instanceof NotTogether)) throw error;
        }
      }
    },
    drained: together.drained,
  };
}
