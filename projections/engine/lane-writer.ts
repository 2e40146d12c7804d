import { CheckpointMoved, type Checkpoint, type Documents, type Write } from '../../infra/documents/port';
import type { DocumentKey, Fold } from '../projection';
import { emplace, load, touch } from './batch';
import { noteDeletions, pendingDeletions, type Deletion } from './deletions';
import { fold, FoldError, type Entries, type Entry } from './fold';
import type { InputKind } from './inputs';
import { physical } from './generation';
import { checkpointAt, isSealed, lastSeen, type Lane } from './lane';
import { toStored } from './stored';

/** Folds one lane of one generation into documents. */
export interface LaneWriter<Input> {
  /** The last input that is folded, committed or not. */
  readonly seen: number;
  /** False while inputs are folded but not yet covered by the stored checkpoint. */
  readonly flushed: boolean;
  /**
   * Folds the inputs beyond `seen` and commits the documents they changed together with the checkpoint `seen`.
   * When nothing changed, no commit is made until `flush`, unless it is asked for here. With `hold` what changed stays
   * in memory and goes with the next commit, so that a document many inputs touch is written once.
   * @throws FoldError once the inputs before the one at fault are committed; CheckpointMoved when another writer is
   *   at work on the lane, or the generation was sealed; DuplicateKey
   */
  apply(
    inputs: readonly Input[],
    seen: number,
    options?: { readonly flush?: boolean; readonly hold?: boolean },
  ): Promise<void>;
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
  let flushed = true;
  let deletions = await pendingDeletions(documents, lane.checkpoint, seen);
  let held: Entries = new Map();

  /** After a commit, or after an error: then it is as if the inputs since the last commit had not come yet. */
  const letGo = (): void => {
    held = new Map();
    seen = lastSeen(stored);
    flushed = true;
  };

  const commit = async (writes: readonly Write[], upTo: number): Promise<void> => {
    const value: Checkpoint = checkpointAt(lane, upTo);
    await documents.commit({ writes, checkpoint: { name: lane.checkpoint, value, expect: stored } });
    stored = value;
    letGo();
    if (deletions.length > 0) deletions = deletions.filter(deletion => deletion.seen > upTo);
  };

  const writesOf = (entries: Entries): Write[] => {
    const writes: Write[] = [];
    const deleted: Deletion[] = [];
    for (const [collection, byId] of entries)
      for (const [id, { document, seen: by, changed }] of byId) {
        if (!changed) continue;
        if (!document) deleted.push({ collection, id, seen: by });
        const stored = document && toStored(document, by, lane.partition);
        writes.push({ collection: physical(collection, generation), id, document: stored });
      }
    if (deleted.length === 0) return writes;
    return [noteDeletions(lane.checkpoint, [...deletions, ...deleted]), ...writes];
  };

  return {
    get seen() {
      return seen;
    },
    get flushed() {
      return flushed;
    },

    async apply(inputs, upTo, { flush = false, hold = false } = {}) {
      if (upTo <= seen) return;
      try {
        const blank: Entry[] = [];
        const entryOf = (key: DocumentKey): Entry => emplace(held, key, blank);
        const { touching, error: untouchable } = touch(projection, kind, inputs, seen, entryOf);
        await load(documents, generation, lane, blank, deletions);
        const { folded, error: unfoldable } = fold(projection, touching);
        const error = unfoldable ?? untouchable;
        if (error !== null) {
          const fault = kind.describe(inputs.filter(input => kind.at(input) > seen)[folded]!);
          if (folded > 0 || !flushed) await commit(writesOf(held), touching[folded - 1]?.at ?? seen);
          throw new FoldError(fault, error);
        }
        const writes = hold ? [] : writesOf(held);
        if (writes.length > 0 || flush) return await commit(writes, upTo);
        if (!hold) held = new Map();
        seen = upTo;
        flushed = false;
      } catch (error) {
        letGo();
        throw error;
      }
    },

    async flush() {
      if (!flushed) await commit(writesOf(held), seen);
    },
  };
}
