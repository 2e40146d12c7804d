/** A topic and how it is laid out. Partition counts are fixed once the topic exists. */
export interface TopicSpec {
  readonly name: string;
  readonly partitions: number;
  /** `delete` keeps every message for the retention of the operator (default: for ever); `compact` keeps the last of each key. */
  readonly cleanup: 'delete' | 'compact';
}

/** Messages with one key keep their order. The value is opaque bytes. */
export interface NewMessage {
  readonly key: string;
  readonly value: Buffer;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface LogMessage extends Required<NewMessage> {
  readonly topic: string;
  readonly partition: number;
  readonly offset: number;
  /** Milliseconds since the epoch at which the log took it. */
  readonly timestamp: number;
}

/** Messages of one partition, in offset order. `next` is the offset to go on from: what to store as checkpoint. */
export interface LogBatch {
  readonly topic: string;
  readonly partition: number;
  readonly messages: readonly LogMessage[];
  readonly next: number;
}

export interface ConsumeOptions {
  readonly group: string;
  readonly topics: readonly string[];
  /** Most messages in one batch; default 1,000. */
  readonly batchSize?: number;
  /** Where to start a partition that this member was given; undefined: where the group left off, or the start. */
  startAt?(topic: string, partition: number): Promise<number | undefined>;
  readonly signal: AbortSignal;
}

export interface ReadPartitionOptions {
  readonly topic: string;
  readonly partition: number;
  /** First offset to read, inclusive. */
  readonly from: number;
  readonly batchSize?: number;
  /** False: end where the partition ends now. True: go on with what comes, until the signal. */
  readonly follow: boolean;
  readonly signal?: AbortSignal;
}

/** Semantics are those of Kafka; `test/contracts/log.ts` is their definition. */
export interface Log {
  /** Creates the topics that do not exist yet. */
  declare(topics: readonly TopicSpec[]): Promise<void>;
  /** Resolves once all messages are durable. The partition of a key never changes. */
  publish(topic: string, messages: readonly NewMessage[]): Promise<void>;
  /**
   * Joins a consumer group: each partition belongs to one live member at a time. The promise of `handle` is the
   * acknowledgement: the group's offset moves after it, and a batch whose handler failed or died is delivered again.
   * Resolves when the signal fires and the batch in hand is done; rejects with the handler's error.
   */
  consume(options: ConsumeOptions, handle: (batch: LogBatch) => Promise<void>): Promise<void>;
  /** Reads one partition outside any group: for rebuilds. Moves nobody's offsets. */
  read(options: ReadPartitionOptions): AsyncIterable<LogBatch>;
  /** Per partition, the offset the next message will get. */
  ends(topic: string): Promise<number[]>;
  /** Per partition, the offset a group goes on from; 0 where it has not committed. */
  committed(group: string, topic: string): Promise<number[]>;
  close(): Promise<void>;
}
