declare module 'kafkajs/src/consumer/batch' {
  import type { Batch } from 'kafkajs';

  /** What a fetch gave of one partition, without what is not for consumers: aborted transactions, markers, earlier offsets. */
  const FetchedBatch: new (
    topic: string,
    fetchedOffset: string,
    partition: unknown,
  ) => Batch & { readonly rawMessages: readonly unknown[] };
  export = FetchedBatch;
}
