import type { Checkpoint, Documents, Write } from '../../contracts/ports/documents';
import type { Fold } from '../projection';
import { noEntries } from './batch';
import { commitShare } from './commit-share';
import type { Entries } from './fold';

/**
 * Commits of one writer, one after the other. Each expects the checkpoint that this writer read or wrote last. Of two writers of a
 * partition, the second to commit is therefore refused with all its documents and must be opened again, because the documents it
 * loaded may be older than the other's writes. This alone makes two runners safe; a lease would only save the work of the one that
 * loses.
 */
export interface PartitionCommits {
  /** The checkpoint of the last commit that is done. */
  readonly stored: Checkpoint | null;
  readonly isUnderWay: boolean;
  /** As of `CommitShare`. */
  readonly share: number;
  /** Entries of the commit that may still be under way: as they are stored, or will be. */
  readonly entries: Entries;
  /** Starts a commit, after `done`. */
  start(entries: Entries, writes: readonly Write[], value: Checkpoint): void;
  /**
   * Resolves when no commit is under way. What it wrote is not reused then: only a read detects a document that another partition
   * has written.
   * @throws what the commit threw
   */
  done(): Promise<void>;
  /** Forgets the commit that failed, once it has ended. */
  reset(): Promise<void>;
}

/** @param name of the checkpoint, of which `stored` is the present value */
export function partitionCommits(
  documents: Pick<Documents, 'commit'>,
  projection: Pick<Fold<never>, 'collections'>,
  name: string,
  stored: Checkpoint | null,
): PartitionCommits {
  const of = commitShare(documents, name);
  let last = stored;
  let isUnderWay = false;
  let entries = noEntries(projection);
  let ended: Promise<void> = Promise.resolve();
  return {
    get stored() {
      return last;
    },
    get share() {
      return of.share;
    },
    get isUnderWay() {
      return isUnderWay;
    },
    get entries() {
      return entries;
    },

    start(committed, writes, value) {
      entries = committed;
      isUnderWay = true;
      ended = of.commit({ writes, checkpoint: { name, value, expect: last } }).then(() => {
        last = value;
        isUnderWay = false;
      });
      // `done` throws its error.
      ended.catch(() => undefined);
    },

    async done() {
      await ended;
      entries = noEntries(projection);
    },

    async reset() {
      await ended.catch(() => undefined);
      ended = Promise.resolve();
      isUnderWay = false;
      entries = noEntries(projection);
    },
  };
}
