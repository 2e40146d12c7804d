import { Kafka, logLevel } from 'kafkajs';
import { pino } from 'pino';
import { CannotOpen } from '../../infra/config/cannot-open';
import { openKafkaLog } from '../../infra/engines/log/kafka/kafka-log';
import type { Log, LogMessage } from '../../contracts/ports/log';
import { allContents, contents, newName, numbered, until } from '../contracts/log/fixtures';

/** Kafka's resource type of topics. */
const TOPIC = 2;

const brokers = [process.env['KAFKA_BROKERS']!];
const prefix = `${newName()}.`;
const logger = pino({ level: 'silent' });

const kafka = new Kafka({ brokers, logLevel: logLevel.NOTHING });
const admin = kafka.admin();
let log: Log;

beforeAll(async () => {
  log = await openKafkaLog({ brokers, prefix, logger });
  await admin.connect();
});
afterAll(async () => {
  await log.close();
  await admin.disconnect();
});

const newTopic = async (partitions = 1): Promise<string> => {
  const name = newName();
  await log.declare([{ name, partitions, cleanup: 'delete' }]);
  return name;
};

/** All messages that a new group consumes up to the end. */
const consumed = async (topic: string): Promise<LogMessage[]> => {
  const group = newName();
  const messages: LogMessage[] = [];
  const end = new AbortController();
  const done = log.consume({ group, topics: [topic], signal: end.signal }, async batch => {
    messages.push(...batch.messages);
  });
  const ends = String(await log.endOffsets(topic));
  await Promise.race([done, until(async () => String(await log.committedOffsets(group, topic)) === ends)]);
  end.abort();
  await done;
  return messages;
};

const texts = (messages: readonly LogMessage[]): string[] => messages.map(({ value }) => value.toString());

describe('topics', () => {
  test('keep everything or the last message of each key, whatever the default of the brokers', async () => {
    const names = [newName(), newName()] as const;
    await log.declare([
      { name: names[0], partitions: 1, cleanup: 'delete' },
      { name: names[1], partitions: 1, cleanup: 'compact' },
    ]);
    const { resources } = await admin.describeConfigs({
      includeSynonyms: false,
      resources: names.map(name => ({ type: TOPIC, name: prefix + name })),
    });
    const settings = names.map(name => {
      const { configEntries } = resources.find(({ resourceName }) => resourceName === prefix + name)!;
      return new Map(configEntries.map(entry => [entry.configName, entry.configValue]));
    });
    expect(settings[0]!.get('cleanup.policy')).toBe('delete');
    expect(settings[0]!.get('retention.ms')).toBe('-1');
    expect(settings[1]!.get('cleanup.policy')).toBe('compact');
  });

  test('with another number of partitions are rejected', async () => {
    const name = await newTopic(3);
    const other = await openKafkaLog({ brokers, prefix, logger });
    await expect(other.declare([{ name, partitions: 4, cleanup: 'delete' }])).rejects.toThrow(
      /has 3 partitions instead of 4/,
    );
    await other.close();
  });

  test('that cannot be created throw the reason', async () => {
    const wide = await openKafkaLog({ brokers, prefix, logger, replicationFactor: 99 });
    await expect(wide.declare([{ name: newName(), partitions: 1, cleanup: 'delete' }])).rejects.toThrow(
      /cannot be created: .*replication/i,
    );
    await wide.close();
  });
});

test('the ends of topics are known while others are looked up for the first time', async () => {
  const names = await Promise.all(Array.from({ length: 20 }, () => newTopic()));
  for (let round = 0; round < 10; round++) {
    const client = await openKafkaLog({ brokers, prefix, logger });
    let found = 0;
    const askOnAndOn = async () => {
      while (found < names.length)
        expect(await client.endOffsets(names[Math.max(0, found - 1)]!)).toEqual([0]);
    };
    const lookUp = async () => {
      for (const name of names) {
        expect(await client.endOffsets(name)).toEqual([0]);
        found += 1;
      }
    };
    await Promise.all([lookUp(), askOnAndOn(), askOnAndOn(), askOnAndOn()]);
    await client.close();
  }
});

describe('messages', () => {
  test('that are together too large for a request are split', async () => {
    const topic = await newTopic(2);
    const values = Array.from({ length: 60 }, (_, n) => `${n}`.padEnd(100_000));
    await log.publish(
      topic,
      values.map((value, n) => ({ key: `key-${n % 5}`, value: Buffer.from(value) })),
    );
    expect(texts(await allContents(log, topic)).sort()).toEqual([...values].sort());
  });

  test('that are too large are rejected alone', async () => {
    const topic = await newTopic();
    const huge = log.publish(topic, [{ key: 'k', value: Buffer.alloc(1_100_000) }]);
    const good = log.publish(topic, [{ key: 'k', value: Buffer.from('good') }]);
    await expect(huge).rejects.toThrow(RangeError);
    await good;
    expect(texts(await contents(log, topic, 0))).toEqual(['good']);
  });

  test('of aborted transactions of other producers are skipped', async () => {
    const topic = await newTopic();
    const producer = kafka.producer({ transactionalId: newName(), maxInFlightRequests: 1, idempotent: true });
    await producer.connect();
    for (const [text, isKept] of [
      ['a', true],
      ['b', false],
      ['c', true],
      ['d', false],
    ] as const) {
      const transaction = await producer.transaction();
      await transaction.send({ topic: prefix + topic, messages: [{ key: 'k', value: text }] });
      await (isKept ? transaction.commit() : transaction.abort());
    }
    await producer.disconnect();
    expect(texts(await contents(log, topic, 0))).toEqual(['a', 'c']);
    const [end] = await log.endOffsets(topic);
    for (let from = 0; from <= end!; from += 1)
      for await (const { messages, nextOffset } of log.read({
        topic,
        partition: 0,
        from,
        follow: false,
      })) {
        expect(messages[0]!.offset).toBeGreaterThanOrEqual(from);
        expect(nextOffset).toBeLessThanOrEqual(end!);
      }
  });

  test('of a key go after its tombstone, and then so does the tombstone', async () => {
    const topic = newName();
    await log.declare([{ name: topic, partitions: 1, cleanup: 'compact' }]);
    const eager = {
      'cleanup.policy': 'compact',
      'segment.ms': '100',
      'min.cleanable.dirty.ratio': '0.01',
      'delete.retention.ms': '100',
    };
    const configEntries = Object.entries(eager).map(([name, value]) => ({ name, value }));
    await admin.alterConfigs({
      validateOnly: false,
      resources: [{ type: TOPIC, name: prefix + topic, configEntries }],
    });
    await log.publish(topic, [{ key: 'gone', value: Buffer.from('1') }]);
    await log.publish(topic, [{ key: 'gone', value: Buffer.alloc(0) }]);
    expect(texts(await contents(log, topic, 0)).at(-1)).toBe('');
    await until(async () => {
      await log.publish(topic, numbered(20, 5));
      return (await contents(log, topic, 0)).every(({ key }) => key !== 'gone');
    });
  });

  test('that were compacted are skipped, wherever a read starts', async () => {
    const topic = newName();
    await log.declare([{ name: topic, partitions: 1, cleanup: 'compact' }]);
    const eager = { 'cleanup.policy': 'compact', 'segment.ms': '100', 'min.cleanable.dirty.ratio': '0.01' };
    const configEntries = Object.entries(eager).map(([name, value]) => ({ name, value }));
    await admin.alterConfigs({
      validateOnly: false,
      resources: [{ type: TOPIC, name: prefix + topic, configEntries }],
    });
    let count = 0;
    let kept: LogMessage[] = [];
    await until(async () => {
      await log.publish(topic, numbered(20, 5, count));
      count += 20;
      kept = await contents(log, topic, 0);
      return kept.length < count / 2;
    });
    const latest = new Map(numbered(count, 5).map(({ key, value }) => [key, value.toString()]));
    expect(new Map(kept.map(({ key, value }) => [key, value.toString()]))).toEqual(latest);
    for (let from = 0; from <= count; from += 7) {
      const offsets: number[] = [];
      for await (const { messages } of log.read({ topic, partition: 0, from, follow: false }))
        offsets.push(...messages.map(({ offset }) => offset));
      expect(offsets.every(offset => offset >= from)).toBe(true);
    }
    expect(new Map((await consumed(topic)).map(({ key, value }) => [key, value.toString()]))).toEqual(latest);
  });

  test('that were deleted are skipped', async () => {
    const topic = await newTopic();
    await log.publish(
      topic,
      ['a', 'b', 'c'].map(text => ({ key: 'k', value: Buffer.from(text) })),
    );
    await until(async () => (await admin.fetchTopicOffsets(prefix + topic))[0]!.high === '3');
    await admin.deleteTopicRecords({ topic: prefix + topic, partitions: [{ partition: 0, offset: '2' }] });
    expect(texts(await contents(log, topic, 0))).toEqual(['c']);
    expect(texts(await consumed(topic))).toEqual(['c']);
  });
});

describe('a consumer', () => {
  test('that starts beyond the end fails', async () => {
    const topic = await newTopic();
    const { signal } = new AbortController();
    const begin = log.consume(
      { group: newName(), topics: [topic], startAt: async () => 1, signal },
      async () => undefined,
    );
    await expect(begin).rejects.toThrow(/offset 1 is beyond the end/);
  });
});

describe('opening', () => {
  const opened = (broker: string) => openKafkaLog({ brokers: [broker], logger });

  test.each([
    ['127.0.0.1:1', /nothing listens there/],
    ['nowhere.invalid:9092', /unknown host/],
  ])('%s fails with the reason', async (broker, reason) => {
    const failure = await opened(broker).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(CannotOpen);
    expect((failure as Error).message).toMatch(reason);
  });
});
