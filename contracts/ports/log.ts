/** A topic. Its number of partitions cannot change once it exists. */
export interface TopicSpec {
  readonly name: string;
  readonly partitions: number;
  /** `delete` keeps all messages for the configured retention (default: forever); `compact` keeps the last one of each key. */
  readonly cleanup: 'delete' | 'compact';
}

/** Messages with the same key keep their order. */
export interface NewMessage {
  readonly key: string;
  /** In a topic that is compacted an empty one is a tombstone: it goes too, a day later or more. */
  readonly value: Buffer;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface LogMessage extends Required<NewMessage> {
  readonly topic: string;
  readonly partition: number;
  readonly offset: number;
  /** When the log stored it, in milliseconds since the epoch. */
  readonly timestamp: number;
}

/** Messages of one partition, in offset order. `nextOffset` is the checkpoint to store. */
export interface LogBatch {
  readonly topic: string;
  readonly partition: number;
  readonly messages: readonly LogMessage[];
  readonly nextOffset: number;
}

export interface ConsumeOptions {
  readonly group: string;
  readonly topics: readonly string[];
  /** Maximum number of messages in one batch; default 1,000. */
  readonly batchSize?: number;
  /** The offset at which to start an assigned partition; undefined: the committed offset of the group. */
  startAt?(topic: string, partition: number): Promise<number | undefined>;
  readonly signal: AbortSignal;
}

export interface ReadPartitionOptions {
  readonly topic: string;
  readonly partition: number;
  /** First offset to read, inclusive. */
  readonly from: number;
  readonly batchSize?: number;
  /** False: end at the current end of the partition. True: wait for new messages, until the signal. */
  readonly follow: boolean;
  readonly signal?: AbortSignal;
}

export interface DeleteOptions {
  /** One that is not compacted. */
  readonly topic: string;
  readonly key: string;
  /** By partition: only messages with lower offsets. */
  readonly before: readonly number[];
}

/** Semantics are those of Kafka, as defined by `test/contracts/log.ts`. */
export interface Log {
  /** Creates the topics that do not exist yet. */
  declare(topics: readonly TopicSpec[]): Promise<void>;
  /** Resolves once all messages are durable. The partition of a key never changes. */
  publish(topic: string, messages: readonly NewMessage[]): Promise<void>;
  /**
   * Joins a consumer group: each partition is assigned to one live member at a time. The offset of the group is committed
   * when the promise of `handle` resolves; after a failure or a crash before that, the batch is delivered again. Resolves
   * after the signal, when current batches have been handled; rejects with the error of the handler.
   */
  consume(options: ConsumeOptions, handle: (batch: LogBatch) => Promise<void>): Promise<void>;
  /** Reads one partition outside any group, for rebuilds. Commits no offsets. */
  read(options: ReadPartitionOptions): AsyncIterable<LogBatch>;
  /** Per partition, the offset of the next message. */
  endOffsets(topic: string): Promise<number[]>;
  /** Per partition, the offset from which a group continues; 0 where it has committed none. */
  committedOffsets(group: string, topic: string): Promise<number[]>;
  /**
   * Deletes those messages of a key for which `isDeletable` is true, but never the last message of a partition, at which readers
   * see where it ends. Some at a time, so that no publish waits long. For adapters that can delete single messages; without it they
   * stay for as long as the topic keeps them.
   * @returns how many messages of the key, of those before the offset, are left
   * @throws DamagedData
   */
  deleteMessages?(options: DeleteOptions, isDeletable: (message: LogMessage) => boolean): Promise<number>;
  close(): Promise<void>;
}
