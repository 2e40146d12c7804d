import type { Log, LogMessage } from '../../../contracts/ports/log';
import { partitionOf } from '../../../infra/engines/log/partitioner';
import {
  allContents,
  newTopic,
  numbered,
  numbersOf,
  range,
  sorted,
  until,
  type LogHarness,
} from './fixtures';

const PARTITIONS = 4;
/** Of 10 keys: the numbers of one end with its last digit. */
const ofKey = (key: number, end: number, first = 0): number[] =>
  range(end, first).filter(number => number % 10 === key);
const others = (key: number, end: number): number[] => range(end).filter(number => number % 10 !== key);

async function deleteKey(
  log: Log,
  topic: string,
  isDeletable: (message: LogMessage) => boolean = () => true,
): Promise<number> {
  const before = await log.endOffsets(topic);
  return log.deleteMessages!({ topic, key: 'key-3', before }, isDeletable);
}

/** One more message behind those of a key: the last one of a partition is never deleted. */
const publishLast = (log: Log, topic: string): Promise<void> => {
  const partition = partitionOf('key-3', PARTITIONS);
  const key = range(1_000)
    .map(n => `last-${n}`)
    .find(name => partitionOf(name, PARTITIONS) === partition)!;
  return log.publish(topic, [{ key, value: Buffer.from('-1') }]);
};

export function describeDeleting({ fresh, another, consumer }: LogHarness): void {
  describe('deleteMessages', () => {
    test('deletes the messages of a key and none of its neighbours, for all clients, and offsets stay', async () => {
      const [log, other] = [await fresh(), await another()];
      const topic = await newTopic(log, PARTITIONS);
      await log.publish(topic, numbered(15_000));
      await publishLast(log, topic);
      const before = await allContents(log, topic);
      const ends = await log.endOffsets(topic);
      expect(await deleteKey(log, topic)).toBe(0);
      for (const client of [log, other]) {
        expect(await allContents(client, topic)).toEqual(before.filter(({ key }) => key !== 'key-3'));
        expect(await client.endOffsets(topic)).toEqual(ends);
      }
      expect(await deleteKey(log, topic)).toBe(0);
    });

    test('leaves what is not before the offset, and what is not deletable', async () => {
      const log = await fresh();
      const topic = await newTopic(log, PARTITIONS);
      await log.publish(topic, numbered(2_000));
      const before = await log.endOffsets(topic);
      await log.publish(topic, numbered(1_000, 10, 2_000));
      const isDeletable = ({ value }: LogMessage): boolean => Number(value.toString()) >= 100;
      expect(await log.deleteMessages!({ topic, key: 'key-3', before }, isDeletable)).toBe(10);
      expect(sorted(numbersOf(await allContents(log, topic)))).toEqual(
        sorted([...others(3, 3_000), ...ofKey(3, 100), ...ofKey(3, 3_000, 2_000)]),
      );
      await publishLast(log, topic);
      expect(await deleteKey(log, topic)).toBe(0);
    });

    test('never deletes the last message of a partition', async () => {
      const log = await fresh();
      const topic = await newTopic(log, 1);
      await log.publish(
        topic,
        numbered(5, 1).map(message => ({ ...message, key: 'key-3' })),
      );
      expect(await deleteKey(log, topic)).toBe(1);
      expect(numbersOf(await allContents(log, topic))).toEqual([4]);
    });

    test('deletes none of other keys that end as it does', async () => {
      const log = await fresh();
      const topic = await newTopic(log, 1);
      const keys = ['key-3', 'other-key-3', 'a-long-end-of-a-key', 'the-long-end-of-a-key', 'last'];
      await log.publish(
        topic,
        keys.map(key => ({ key, value: Buffer.from('1') })),
      );
      const before = await log.endOffsets(topic);
      for (const key of ['key-3', 'a-long-end-of-a-key'])
        expect(await log.deleteMessages!({ topic, key, before }, () => true)).toBe(0);
      const left = (await allContents(log, topic)).map(({ key }) => key);
      expect(left).toEqual(['other-key-3', 'the-long-end-of-a-key', 'last']);
    });

    test('of a key without messages deletes nothing', async () => {
      const log = await fresh();
      const topic = await newTopic(log, PARTITIONS);
      await log.publish(topic, numbered(3));
      expect(await deleteKey(log, topic)).toBe(0);
      expect(await allContents(log, topic)).toHaveLength(3);
    });

    test('goes on beside publications, of the same key too, and beside a consumer', async () => {
      const [log, other] = [await fresh(), await another()];
      const topic = await newTopic(log, PARTITIONS);
      await log.publish(topic, numbered(3_000));
      const before = await log.endOffsets(topic);
      const publishing = (async () => {
        for (const n of range(20)) await other.publish(topic, numbered(50, 10, 3_000 + n * 50));
      })();
      await log.deleteMessages!({ topic, key: 'key-3', before }, () => true);
      await publishing;
      await publishLast(log, topic);
      await log.deleteMessages!({ topic, key: 'key-3', before }, () => true);
      const left = [...others(3, 4_000), ...ofKey(3, 4_000, 3_000), -1];
      expect(sorted(numbersOf(await allContents(log, topic)))).toEqual(sorted(left));

      const reader = consumer(other, { group: topic, topics: [topic] });
      await until(() => reader.messages.length === left.length);
      expect(sorted(numbersOf(reader.messages))).toEqual(sorted(left));
    });
  });
}
