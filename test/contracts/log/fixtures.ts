import { randomUUID } from 'node:crypto';
import type {
  ConsumeOptions,
  Log,
  LogBatch,
  LogMessage,
  NewMessage,
  TopicSpec,
} from '../../../contracts/ports/log';
import { type Open, type Harness, createHarness } from '../harness';

export { until } from '../../until';

export interface Consumer {
  /** All messages passed to its handler. */
  readonly messages: LogMessage[];
  /** The result of `consume`. */
  readonly done: Promise<void>;
  stop(): Promise<void>;
}

export interface LogHarness extends Harness<Log> {
  /** Starts to consume; stopped after the test at the latest. */
  consumer(
    log: Log,
    options: Omit<ConsumeOptions, 'signal'>,
    handle?: (batch: LogBatch) => Promise<void>,
  ): Consumer;
}

/** Stops consumers and closes logs after each test. */
export function createLogHarness(open: Open<Log>): LogHarness {
  let consumers: Consumer[] = [];
  const harness = createHarness(open, async () => {
    await Promise.allSettled(consumers.map(consumer => consumer.stop()));
    consumers = [];
  });
  return {
    ...harness,
    consumer: (log, options, handle = async () => undefined) => {
      const end = new AbortController();
      const messages: LogMessage[] = [];
      const done = log.consume({ ...options, signal: end.signal }, async batch => {
        messages.push(...batch.messages);
        await handle(batch);
      });
      const stop = (): Promise<void> => {
        end.abort();
        return done;
      };
      done.catch(() => undefined);
      const consumer = { messages, done, stop };
      consumers.push(consumer);
      return consumer;
    },
  };
}

export function newName(): string {
  return `t-${randomUUID()}`;
}

/** A topic that no other test has. */
export async function newTopic(
  log: Log,
  partitions = 4,
  cleanup: TopicSpec['cleanup'] = 'delete',
): Promise<string> {
  const name = newName();
  await log.declare([{ name, partitions, cleanup }]);
  return name;
}

/** Messages with the keys 0 to `keys` - 1 in rotation, and their number as value. */
export function numbered(count: number, keys = 10, first = 0): NewMessage[] {
  return Array.from({ length: count }, (_, index) => ({
    key: `key-${(first + index) % keys}`,
    value: Buffer.from(String(first + index)),
  }));
}

export function numbersOf(messages: readonly LogMessage[]): number[] {
  return messages.map(({ value }) => Number(value.toString()));
}

export function sorted(numbers: readonly number[]): number[] {
  return [...numbers].sort((a, b) => a - b);
}

export function range(end: number, first = 0): number[] {
  return Array.from({ length: end - first }, (_, n) => first + n);
}

/** All current messages of a partition. */
export async function contents(log: Log, topic: string, partition: number): Promise<LogMessage[]> {
  const messages: LogMessage[] = [];
  for await (const batch of log.read({ topic, partition, from: 0, follow: false }))
    messages.push(...batch.messages);
  return messages;
}

/** All current messages of a topic, partition by partition. */
export async function allContents(log: Log, topic: string): Promise<LogMessage[]> {
  const { length } = await log.endOffsets(topic);
  return (await Promise.all(range(length).map(partition => contents(log, topic, partition)))).flat();
}
