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

declare module 'kafkajs/src/network/requestQueue' {
  interface Request {
    readonly entry: { readonly correlationId: number };
    readonly expectResponse: boolean;
    sendRequest(): void;
  }

  /** The requests of one connection: those without an answer, and those that wait to be sent. */
  class RequestQueue {
    constructor(options: {
      readonly clientId: string;
      readonly broker: string;
      /** In milliseconds. */
      readonly requestTimeout: number;
      readonly logger: { debug(): void };
    });
    readonly pending: readonly unknown[];
    push(request: Request): void;
    maybeThrottle(milliseconds: number): void;
    checkPendingRequests(): void;
    scheduleCheckPendingRequests(): void;
  }
  export = RequestQueue;
}
