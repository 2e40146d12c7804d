declare module 'kafkajs/src/consumer/batch' {
  import type { Batch } from 'kafkajs';

  /** The messages of one partition in a fetch, without aborted transactions, control records and earlier offsets. */
  const FetchedBatch: new (
    topic: string,
    fetchedOffset: string,
    partition: unknown,
  ) => Batch & { readonly rawMessages: readonly unknown[] };
  export = FetchedBatch;
}
