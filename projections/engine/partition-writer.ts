import { CheckpointMoved, type Documents, type Write } from '../../contracts/ports/documents';
import type { DocumentKey, Fold } from '../projection';
import { entryFor, load, noEntries, touch, writesOf } from './batch';
import { fitting, isFull } from './batch-size';
import { fold, FoldError, type Entry } from './fold';
import type { InputKind } from './input-kinds';
import { checkpointAt, countIn, isFrozen, lastSeen, type InputPartition } from './input-partition';
import { partitionCommits } from './partition-commits';

/** Folds one input partition into the documents of one generation, in commits as `PartitionCommits` says. */
export interface PartitionWriter<Input> {
  /** The last input that is folded, committed or not. */
  readonly seen: number;
  /** The last input up to which all that is folded is in the documents. */
  readonly committed: number;
  /** False while inputs are folded that the stored checkpoint does not cover. */
  readonly flushed: boolean;
  /**
   * Folds the inputs after the writer's `seen`, and commits the documents they changed with a checkpoint at the new `seen`; in
   * several commits, each after a whole input, when they are more than `MAX_COMMIT_DOCUMENTS` or `MAX_COMMIT_BYTES`, or a share of these.
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

/** @throws CheckpointMoved when the generation is frozen */
export async function openPartitionWriter<Input>(
  documents: Documents,
  projection: Fold<Input>,
  generation: number,
  partition: InputPartition,
  kind: InputKind<Input>,
): Promise<PartitionWriter<Input>> {
  const opened = await documents.checkpoint(partition.checkpoint);
  if (isFrozen(opened)) throw new CheckpointMoved(`${partition.checkpoint} is frozen`);
  const commits = partitionCommits(documents, projection, partition.checkpoint, opened);
  let seen = lastSeen(opened);
  /** Inputs up to `seen`. */
  let counted = countIn(opened);
  /** Up to it nothing is left to be stored, whether a checkpoint says so or not. */
  let stored = seen;
  let batch = noEntries(projection);

  const isFlushed = (): boolean => lastSeen(commits.stored) === seen;
  const changes = (): Write[] => writesOf(batch, generation, partition);

  /** Drops the inputs since the last commit, after an error. */
  const reset = async (): Promise<void> => {
    await commits.reset();
    batch = noEntries(projection);
    seen = lastSeen(commits.stored);
    counted = countIn(commits.stored);
  };

  const resetOnError = async <T>(write: () => Promise<T>): Promise<T> => {
    try {
      return await write();
    } catch (error) {
      await reset();
      throw error;
    }
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
    await commits.done();
    advance(upTo, inputs);
    commits.start(batch, writes, checkpointAt(partition, upTo, counted));
    batch = noEntries(projection);
  };

  const commit = async (writes: readonly Write[], upTo: number, inputs: number): Promise<void> => {
    await startCommit(writes, upTo, inputs);
    await commits.done();
  };

  const apply: PartitionWriter<Input>['apply'] = async (inputs, upTo, options = {}) => {
    if (upTo <= seen) return;
    const { flush = false, defer = false, pipeline = false } = options;
    const blank: Entry[] = [];
    const entryOf = (key: DocumentKey): Entry => entryFor(batch, commits.entries, key, blank);
    const reached = touch(projection, kind, inputs, seen, entryOf, () => isFull(batch, commits.share));
    await load(documents, generation, partition, blank);
    const touched = fitting(batch, reached.touched, commits.share);
    const fits = touched.length === reached.touched.length;
    const { folded, error: foldError } = fold(projection, touched);
    const error = foldError ?? (fits ? reached.error : null);
    if (error !== null) {
      const faulty = kind.describe(inputs.filter(input => kind.sequenceOf(input) > seen)[folded]!);
      if (folded > 0 || !isFlushed()) await commit(changes(), touched[folded - 1]?.sequence ?? seen, folded);
      throw new FoldError(faulty, error);
    }
    if (reached.full || !fits) {
      await startCommit(changes(), touched.at(-1)?.sequence ?? seen, touched.length);
      return await apply(inputs, upTo, options);
    }
    const writes = defer ? [] : changes();
    if (writes.length > 0 || flush)
      return await (pipeline ? startCommit : commit)(writes, upTo, touched.length);
    if (!defer) batch = noEntries(projection);
    advance(upTo, touched.length);
    if (!defer && !commits.isUnderWay) stored = upTo;
  };

  return {
    get seen() {
      return seen;
    },
    get committed() {
      return Math.max(stored, lastSeen(commits.stored));
    },
    get flushed() {
      return isFlushed();
    },
    apply: (...given) => resetOnError(() => apply(...given)),
    commitDone: () => resetOnError(commits.done),
    flush: () =>
      resetOnError(async () => {
        await commits.done();
        if (!isFlushed()) await commit(changes(), seen, 0);
      }),
  };
}
