import type {
  ConsumeOptions,
  DeleteOptions,
  Log,
  LogBatch,
  LogMessage,
  NewMessage,
  ReadPartitionOptions,
  TopicSpec,
} from '../../contracts/ports/log';
import { partitionOf } from '../../infra/engines/log/partitioner';
import { Waiters } from './waiters';

const BATCH = 1_000;

interface Partition {
  readonly topic: string;
  readonly number: number;
}

/** A member of a consumer group. */
interface Member {
  readonly topics: readonly string[];
  leaving: boolean;
}

interface Group {
  members: Member[];
  /** By partition. */
  readonly offsets: Map<string, number>;
  /** The partitions with a batch that is being handled. */
  readonly busy: Set<string>;
}

/** What several clients share. */
export class StoredLog {
  /** The messages of all topics in the order of publication. */
  readonly all: LogMessage[] = [];
  /** They keep their places in their partitions, which are their offsets. */
  readonly deleted = new Set<LogMessage>();
  readonly topics = new Map<string, LogMessage[][]>();
  readonly groups = new Map<string, Group>();
  readonly waiters = new Waiters();

  partitionsOf(topic: string): LogMessage[][] {
    const partitions = this.topics.get(topic);
    if (!partitions) throw new Error(`topic ${topic} was not declared`);
    return partitions;
  }

  partition(topic: string, number: number): LogMessage[] {
    const partition = this.partitionsOf(topic)[number];
    if (!partition) throw new Error(`topic ${topic} has no partition ${number}`);
    return partition;
  }

  /** The messages of a topic, of all its partitions, in the order of publication. */
  messages(name: string): LogMessage[] {
    return this.existing(this.all).filter(({ topic }) => topic === name);
  }

  existing(messages: readonly LogMessage[]): LogMessage[] {
    return messages.filter(message => !this.deleted.has(message));
  }

  group(name: string): Group {
    const group = this.groups.get(name) ?? { members: [], offsets: new Map(), busy: new Set() };
    this.groups.set(name, group);
    return group;
  }
}

/** A log in memory. Compacted topics keep all messages, as Kafka does until it compacts them. */
export class InMemoryLog implements Log {
  private readonly closing = new AbortController();

  constructor(readonly stored = new StoredLog()) {}

  async declare(topics: readonly TopicSpec[]): Promise<void> {
    for (const { name, partitions } of topics)
      if (!this.stored.topics.has(name))
        this.stored.topics.set(
          name,
          Array.from({ length: partitions }, () => []),
        );
  }

  async publish(topic: string, messages: readonly NewMessage[]): Promise<void> {
    const partitions = this.stored.partitionsOf(topic);
    for (const { key, value, headers = {} } of messages) {
      const partition = partitionOf(key, partitions.length);
      const offset = partitions[partition]!.length;
      const message = { topic, partition, offset, key, value, headers, timestamp: Date.now() };
      partitions[partition]!.push(message);
      this.stored.all.push(message);
    }
    this.stored.waiters.wake();
  }

  async consume(
    { group: name, topics, batchSize = BATCH, startAt, signal }: ConsumeOptions,
    handle: (batch: LogBatch) => Promise<void>,
  ): Promise<void> {
    const group = this.stored.group(name);
    const member: Member = { topics, leaving: false };
    const failed = new AbortController();
    const ended = AbortSignal.any([signal, this.closing.signal, failed.signal]);
    const positions = new Map<string, number>();
    const running = new Set<Promise<void>>();
    let failure: { readonly error: unknown } | undefined;

    const startOf = async ({ topic, number }: Partition): Promise<number> =>
      (await startAt?.(topic, number)) ?? group.offsets.get(keyOf(topic, number)) ?? 0;
    const deliver = async (partition: Partition): Promise<void> => {
      const { topic, number } = partition;
      const key = keyOf(topic, number);
      const from = positions.get(key) ?? (await startOf(partition));
      const messages = this.stored.partition(topic, number).slice(from, from + batchSize);
      positions.set(key, from);
      if (messages.length === 0) return;
      const nextOffset = from + messages.length;
      const existing = this.stored.existing(messages);
      if (existing.length > 0) await handle({ topic, partition: number, messages: existing, nextOffset });
      positions.set(key, nextOffset);
      group.offsets.set(key, nextOffset);
    };
    const start = (partition: Partition): void => {
      const key = keyOf(partition.topic, partition.number);
      group.busy.add(key);
      const run = deliver(partition)
        .catch((error: unknown) => {
          failure ??= { error };
          failed.abort();
        })
        .finally(() => {
          group.busy.delete(key);
          running.delete(run);
          this.stored.waiters.wake();
        });
      running.add(run);
    };
    const hasMessages = ({ topic, number }: Partition): boolean => {
      const position = positions.get(keyOf(topic, number));
      return position === undefined || position < this.stored.partition(topic, number).length;
    };

    group.members.push(member);
    this.stored.waiters.wake();
    while (!ended.aborted) {
      const assigned = this.assignedTo(group, member);
      const keys = new Set(assigned.map(({ topic, number }) => keyOf(topic, number)));
      for (const key of positions.keys()) if (!keys.has(key)) positions.delete(key);
      const ready = assigned.filter(
        partition => !group.busy.has(keyOf(partition.topic, partition.number)) && hasMessages(partition),
      );
      ready.forEach(start);
      if (ready.length === 0) await this.stored.waiters.wait(ended);
    }
    member.leaving = true;
    await Promise.all(running);
    group.members = group.members.filter(other => other !== member);
    this.stored.waiters.wake();
    if (failure) throw failure.error;
  }

  async *read({
    topic,
    partition,
    from,
    batchSize = BATCH,
    follow,
    signal = new AbortController().signal,
  }: ReadPartitionOptions): AsyncIterable<LogBatch> {
    const stored = this.stored.partition(topic, partition);
    const end = follow ? Infinity : stored.length;
    const ended = AbortSignal.any([signal, this.closing.signal]);
    for (let nextOffset = from; nextOffset < end && !ended.aborted;) {
      const messages = stored.slice(nextOffset, Math.min(nextOffset + batchSize, end));
      if (messages.length === 0) await this.stored.waiters.wait(ended);
      else {
        nextOffset += messages.length;
        const existing = this.stored.existing(messages);
        if (existing.length > 0) yield { topic, partition, messages: existing, nextOffset };
      }
    }
  }

  async endOffsets(topic: string): Promise<number[]> {
    return this.stored.partitionsOf(topic).map(({ length }) => length);
  }

  async committedOffsets(group: string, topic: string): Promise<number[]> {
    const { offsets } = this.stored.group(group);
    return this.stored.partitionsOf(topic).map((_, number) => offsets.get(keyOf(topic, number)) ?? 0);
  }

  async deleteMessages(
    { topic, key, before }: DeleteOptions,
    isDeletable: (message: LogMessage) => boolean,
  ): Promise<number> {
    const partitions = this.stored.partitionsOf(topic);
    const number = partitionOf(key, partitions.length);
    const partition = partitions[number]!;
    const found = this.stored
      .existing(partition.slice(0, before[number]))
      .filter(message => message.key === key);
    const deletable = found.filter(message => message !== partition.at(-1) && isDeletable(message));
    for (const message of deletable) this.stored.deleted.add(message);
    return found.length - deletable.length;
  }

  async close(): Promise<void> {
    this.closing.abort();
  }

  /** The members of a group that consume a topic take turns at its partitions. */
  private assignedTo(group: Group, member: Member): Partition[] {
    return member.topics.flatMap(topic => {
      const members = group.members.filter(({ topics, leaving }) => topics.includes(topic) && !leaving);
      return this.stored
        .partitionsOf(topic)
        .flatMap((_, number) => (members[number % members.length] === member ? [{ topic, number }] : []));
    });
  }
}

const keyOf = (topic: string, partition: number): string => `${topic}/${partition}`;
