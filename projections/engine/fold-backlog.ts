import type { PartitionWriter } from './partition-writer';

/** Inputs of one partition in their order, and the last one that they cover. */
export interface BacklogBatch<Input> {
  readonly inputs: readonly Input[];
  readonly seen: number;
  /** Of the inputs, roughly. */
  readonly characters: number;
}

/**
 * Characters of inputs, roughly, between two commits: thousands of events share the cost of a commit, a document that
 * many of them touch is written once, and reads are delayed by a fraction of a second at most.
 */
const MAX_DEFERRED_CHARACTERS = 2 * 1024 * 1024;

/**
 * Folds what is behind, for a rebuild and for a live generation alike: many batches share a commit, and the next ones are
 * read and folded while it is under way. What is folded is committed when this ends, also by an error of the batches or by
 * the signal.
 * @param onBatch called with the time each batch took
 */
export async function foldBacklog<Input>(
  writer: PartitionWriter<Input>,
  batches: AsyncIterable<BacklogBatch<Input>>,
  signal: AbortSignal,
  onBatch: (batch: { readonly inputs: number; readonly seconds: number }) => void,
): Promise<void> {
  let deferred = 0;
  try {
    for await (const { inputs, seen, characters } of batches) {
      if (signal.aborted) return;
      const began = performance.now();
      deferred += characters;
      const defer = deferred < MAX_DEFERRED_CHARACTERS;
      await writer.apply(inputs, seen, { defer, pipeline: true });
      if (!defer) deferred = 0;
      onBatch({ inputs: inputs.length, seconds: (performance.now() - began) / 1_000 });
    }
  } finally {
    await writer.flush();
  }
}
