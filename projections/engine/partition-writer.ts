import {
  CheckpointMoved,
  type Checkpoint,
  type Documents,
  type Write,
} from '../../contracts/ports/documents';
import type { DocumentKey, Fold } from '../projection';
import { entryFor, load, noEntries, touch, writesOf } from './batch';
import { fitting, isFull } from './batch-size';
import { fold, FoldError, type Entry } from './fold';
import type { InputKind } from './input-kinds';
import { checkpointAt, countIn, isFrozen, lastSeen, type InputPartition } from './input-partition';

/** Folds one input partition into the documents of one generation. */
export interface PartitionWriter<Input> {
  /** The last input that is folded, committed or not. */
  readonly seen: number;
  /** The last input up to which all that is folded is in the documents. */
  readonly committed: number;
  /** False while inputs are folded that the stored checkpoint does not cover. */
  readonly flushed: boolean;
  /**
   * Folds the inputs after the writer's `seen`, and commits the documents they changed with a checkpoint at the new `seen`; in
   * several commits, each after a whole input, when they are more than `MAX_COMMIT_DOCUMENTS` or `MAX_COMMIT_BYTES`.
   * @param options.flush commits also when no document changed; otherwise that waits for the next commit or `flush()`
   * @param options.defer keeps changes in memory for the next commit, so that a document many inputs touch is written once
   * @param options.pipeline does not wait for its commit, so that the next inputs are folded meanwhile; the next commit
   *   waits for this one, and throws what it threw
   * @throws FoldError once the inputs before the faulty one are committed; CheckpointMoved when another writer has moved
   *   the checkpoint, or the generation is frozen; DuplicateKey
   */
  apply(
    inputs: readonly Input[],
    seen: number,
    options?: { readonly flush?: boolean; readonly defer?: boolean; readonly pipeline?: boolean },
  ): Promise<void>;
  /** Resolves when no commit is under way. @throws what it threw */
  commitDone(): Promise<void>;
  /** Resolves when all that is folded is committed. */
  flush(): Promise<void>;
}

/**
 * Every commit expects the checkpoint that this writer read or wrote last. Of two writers of a partition, the second to
 * commit is refused with all its documents and must be opened again, because the documents it loaded may be older than
 * the other's writes. This alone makes two runners safe; a lease would only save the work of the one that loses.
 *
 * @throws CheckpointMoved when the generation is frozen
 */
export async function openPartitionWriter<Input>(
  documents: Documents,
  projection: Fold<Input>,
  generation: number,
  partition: InputPartition,
  kind: InputKind<Input>,
): Promise<PartitionWriter<Input>> {
  let stored = await documents.checkpoint(partition.checkpoint);
  if (isFrozen(stored)) throw new CheckpointMoved(`${partition.checkpoint} is frozen`);
  let seen = lastSeen(stored);
  /** Inputs up to `seen`. */
  let counted = countIn(stored);
  let committed = seen;
  let isCommitting = false;
  let batch = noEntries(projection);
  /** Entries of the commit that may still be under way: as they are stored, or will be. */
  let committing = noEntries(projection);
  let commitDone: Promise<void> = Promise.resolve();

  const isFlushed = (): boolean => lastSeen(stored) === seen;

  /** Drops the inputs since the last commit, after an error. */
  const reset = async (): Promise<void> => {
    await commitDone.catch(() => undefined);
    commitDone = Promise.resolve();
    isCommitting = false;
    batch = noEntries(projection);
    committing = noEntries(projection);
    seen = lastSeen(stored);
    counted = countIn(stored);
  };

  const advance = (upTo: number, inputs: number): void => {
    seen = upTo;
    if (inputs > 0) counted = { ...counted, events: counted.events + inputs };
  };

  /**
   * Resolves when the commit before is done and this one is under way.
   * @param inputs that were folded after `seen`, up to `upTo`
   */
  const startCommit = async (writes: readonly Write[], upTo: number, inputs: number): Promise<void> => {
    await commitDone;
    advance(upTo, inputs);
    const value: Checkpoint = checkpointAt(partition, upTo, counted);
    const checkpoint = { name: partition.checkpoint, value, expect: stored };
    committing = batch;
    batch = noEntries(projection);
    isCommitting = true;
    commitDone = documents.commit({ writes, checkpoint }).then(() => {
      stored = value;
      committed = upTo;
      isCommitting = false;
    });
    // The next commit or flush throws its error.
    commitDone.catch(() => undefined);
  };

  const commit = async (writes: readonly Write[], upTo: number, inputs: number): Promise<void> => {
    await startCommit(writes, upTo, inputs);
    await commitDone;
    // Not reused: only a read detects a document that another partition has written.
    committing = noEntries(projection);
  };

  const changes = (): Write[] => writesOf(batch, generation, partition);

  const writer: PartitionWriter<Input> = {
    get seen() {
      return seen;
    },
    get committed() {
      return committed;
    },
    get flushed() {
      return isFlushed();
    },

    async apply(inputs, upTo, { flush = false, defer = false, pipeline = false } = {}) {
      if (upTo <= seen) return;
      try {
        const blank: Entry[] = [];
        const entryOf = (key: DocumentKey): Entry => entryFor(batch, committing, key, blank);
        const reached = touch(projection, kind, inputs, seen, entryOf, () => isFull(batch));
        await load(documents, generation, partition, blank);
        const touched = fitting(batch, reached.touched);
        const fits = touched.length === reached.touched.length;
        const { folded, error: foldError } = fold(projection, touched);
        const error = foldError ?? (fits ? reached.error : null);
        if (error !== null) {
          const faulty = kind.describe(inputs.filter(input => kind.sequenceOf(input) > seen)[folded]!);
          if (folded > 0 || !isFlushed())
            await commit(changes(), touched[folded - 1]?.sequence ?? seen, folded);
          throw new FoldError(faulty, error);
        }
        if (reached.full || !fits) {
          await startCommit(changes(), touched.at(-1)?.sequence ?? seen, touched.length);
          return await writer.apply(inputs, upTo, { flush, defer, pipeline });
        }
        const writes = defer ? [] : changes();
        if (writes.length > 0 || flush)
          return await (pipeline ? startCommit : commit)(writes, upTo, touched.length);
        if (!defer) batch = noEntries(projection);
        advance(upTo, touched.length);
        // Nothing of the inputs is left to be stored.
        if (!defer && !isCommitting) committed = upTo;
      } catch (error) {
        await reset();
        throw error;
      }
    },

    async commitDone() {
      try {
        await commitDone;
        committing = noEntries(projection);
      } catch (error) {
        await reset();
        throw error;
      }
    },

    async flush() {
      try {
        await writer.commitDone();
        if (!isFlushed()) await commit(changes(), seen, 0);
      } catch (error) {
        await reset();
        throw error;
      }
    },
  };
  return writer;
}
