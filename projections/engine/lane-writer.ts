import { CheckpointMoved, type Checkpoint, type Documents, type Write } from '../../infra/documents/port';
import type { Fold } from '../projection';
import { load, touch } from './batch';
import { noteDeletions, pendingDeletions, type Deletion } from './deletions';
import { fold, FoldError, type Entries } from './fold';
import type { InputKind } from './inputs';
import { physical } from './generation';
import { checkpointAt, isSealed, lastSeen, type Lane } from './lane';
import { toStored } from './stored';

/** Folds one lane of one generation into documents. */
export interface LaneWriter<Input> {
  /** The last input that is folded, committed or not. */
  readonly seen: number;
  /** False while inputs that changed no document are folded but not yet covered by the stored checkpoint. */
  readonly flushed: boolean;
  /**
   * Folds the inputs beyond `seen` and commits the documents they changed together with the checkpoint `seen`.
   * When nothing changed, no commit is made until `flush`, unless it is asked for here.
   * @throws FoldError once the inputs before the one at fault are committed; CheckpointMoved when another writer is
   *   at work on the lane, or the generation was sealed; DuplicateKey
   */
  apply(inputs: readonly Input[], seen: number, options?: { readonly flush?: boolean }): Promise<void>;
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

  const commit = async (writes: readonly Write[], upTo: number): Promise<void> => {
    const value: Checkpoint = checkpointAt(lane, upTo);
    await documents.commit({ writes, checkpoint: { name: lane.checkpoint, value, expect: stored } });
    stored = value;
    seen = upTo;
    flushed = true;
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

    async apply(inputs, upTo, { flush = false } = {}) {
      if (upTo <= seen) return;
      const { touching, error: untouchable } = touch(projection, kind, inputs, seen);
      const entries = await load(documents, generation, lane, touching, deletions);
      const { folded, error: unfoldable } = fold(projection, touching, entries);
      const error = unfoldable ?? untouchable;
      const writes = writesOf(entries);
      if (error !== null) {
        if (folded > 0) await commit(writes, touching[folded - 1]!.at);
        const fresh = inputs.filter(input => kind.at(input) > seen);
        throw new FoldError(kind.describe(fresh[0]!), error);
      }
      if (writes.length > 0 || flush) return commit(writes, upTo);
      seen = upTo;
      flushed = false;
    },

    async flush() {
      if (!flushed) await commit([], seen);
    },
  };
}
