import {
  CheckpointMoved,
  type Checkpoint,
  type Documents,
  type Write,
} from '../../contracts/ports/documents';
import type { DocumentKey, Fold } from '../projection';
import { emplace, load, noEntries, touch } from './batch';
import { pendingDeletions } from './deletions';
import { fold, FoldError, type Entry } from './fold';
import type { InputKind } from './inputs';
import { checkpointAt, isSealed, lastSeen, type Lane } from './lane';
import { writesOf } from './writes';

/** Folds one lane of one generation into documents. */
export interface LaneWriter<Input> {
  /** The last input that is folded, committed or not. */
  readonly seen: number;
  /** False while inputs are folded but not yet covered by the stored checkpoint. */
  readonly flushed: boolean;
  /**
   * Folds the inputs beyond `seen` and commits the documents they changed together with the checkpoint `seen`.
   * When nothing changed, no commit is made until `flush`, unless it is asked for here. With `hold` what changed stays
   * in memory and goes with the next commit, so that a document many inputs touch is written once. With `ahead` it
   * does not wait for its commit, so that the next inputs are folded meanwhile: the next commit waits for it, and throws
   * what it threw.
   * @throws FoldError once the inputs before the one at fault are committed; CheckpointMoved when another writer is
   *   at work on the lane, or the generation was sealed; DuplicateKey
   */
  apply(
    inputs: readonly Input[],
    seen: number,
    options?: { readonly flush?: boolean; readonly hold?: boolean; readonly ahead?: boolean },
  ): Promise<void>;
  /** Resolves when all that is folded is committed. */
  flush(): Promise<void>;
}

/**
 * Every commit expects the checkpoint that this writer has read or written last. Of two writers of a lane the second
 * to commit is therefore refused, with all its documents, and has to read the checkpoint anew: the documents it had
 * loaded may be older than the other's writes. That alone makes it safe to run two of a kind; a lease would only
 * spare the work of the one that loses.
 *
 * @throws CheckpointMoved when the lane's generation is sealed
 */
export async function openLane<Input>(
  documents: Documents,
  projection: Fold<Input>,
  generation: number,
  lane: Lane,
  kind: InputKind<Input>,
): Promise<LaneWriter<Input>> {
  let stored = await documents.checkpoint(lane.checkpoint);
  if (isSealed(stored)) throw new CheckpointMoved(`${lane.checkpoint} is sealed`);
  let seen = lastSeen(stored);
  let deletions = await pendingDeletions(documents, lane.checkpoint, seen);
  let held = noEntries(projection);
  /** What a commit holds that may still be under way: as it is stored, or will be. */
  let recent = noEntries(projection);
  let committing: Promise<void> = Promise.resolve();

  const isFlushed = (): boolean => lastSeen(stored) === seen;

  /** After an error: then it is as if the inputs since the last commit had not come yet. */
  const letGo = async (): Promise<void> => {
    await committing.catch(() => undefined);
    committing = Promise.resolve();
    held = noEntries(projection);
    recent = noEntries(projection);
    seen = lastSeen(stored);
  };

  /** Resolves when the commit before it is through and this one is under way. */
  const begin = async (writes: readonly Write[], upTo: number): Promise<void> => {
    await committing;
    const value: Checkpoint = checkpointAt(lane, upTo);
    const checkpoint = { name: lane.checkpoint, value, expect: stored };
    recent = held;
    held = noEntries(projection);
    seen = upTo;
    committing = documents.commit({ writes, checkpoint }).then(() => {
      stored = value;
      if (deletions.length > 0) deletions = deletions.filter(deletion => deletion.seen > upTo);
    });
    // It is for those who wait for it.
    committing.catch(() => undefined);
  };

  const commit = async (writes: readonly Write[], upTo: number): Promise<void> => {
    await begin(writes, upTo);
    await committing;
    // Another lane may claim them meanwhile, which is a fault that has to be seen.
    recent = noEntries(projection);
  };

  const entryIn =
    (blank: Entry[]) =>
    (key: DocumentKey): Entry =>
      emplace(held, recent, key, blank);

  const changes = (): Write[] => writesOf(held, generation, lane, deletions);

  return {
    get seen() {
      return seen;
    },
    get flushed() {
      return isFlushed();
    },

    async apply(inputs, upTo, { flush = false, hold = false, ahead = false } = {}) {
      if (upTo <= seen) return;
      try {
        const blank: Entry[] = [];
        const { touching, error: untouchable } = touch(projection, kind, inputs, seen, entryIn(blank));
        await load(documents, generation, lane, blank, deletions);
        const { folded, error: unfoldable } = fold(projection, touching);
        const error = unfoldable ?? untouchable;
        if (error !== null) {
          const fault = kind.describe(inputs.filter(input => kind.at(input) > seen)[folded]!);
          if (folded > 0 || !isFlushed()) await commit(changes(), touching[folded - 1]?.at ?? seen);
          throw new FoldError(fault, error);
        }
        const writes = hold ? [] : changes();
        if (writes.length > 0 || flush) return await (ahead ? begin : commit)(writes, upTo);
        if (!hold) held = noEntries(projection);
        seen = upTo;
      } catch (error) {
        await letGo();
        throw error;
      }
    },

    async flush() {
      try {
        await committing;
        recent = noEntries(projection);
        if (!isFlushed()) await commit(changes(), seen);
      } catch (error) {
        await letGo();
        throw error;
      }
    },
  };
}
