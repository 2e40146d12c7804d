import { partitionOf } from '../../../infra/engines/log/partitioner';
import {
  allContents,
  contents,
  newName,
  newTopic,
  numbered,
  numbersOf,
  type LogHarness,
  range,
  sorted,
} from './fixtures';

export function describePublishing({ fresh, another }: LogHarness): void {
  describe('publish', () => {
    test('assigns offsets from 0 without gaps in each partition', async () => {
      const log = await fresh();
      const topic = await newTopic(log);
      expect(await log.endOffsets(topic)).toEqual([0, 0, 0, 0]);
      for (const n of range(10)) await log.publish(topic, numbered(7, 20, n * 7));
      const ends = await log.endOffsets(topic);
      expect(ends.reduce((sum, end) => sum + end)).toBe(70);
      for (const [partition, end] of ends.entries()) {
        const offsets = (await contents(log, topic, partition)).map(({ offset }) => offset);
        expect(offsets).toEqual(range(end));
      }
      expect(sorted(numbersOf(await allContents(log, topic)))).toEqual(range(70));
    });

    test('assigns keys to the same partitions as the default partitioner of Kafka', async () => {
      const [log, other] = [await fresh(), await another()];
      const topic = await newTopic(log, 7);
      const keys = ['', 'a', 'foobar', 'EQDtFpEwcFAEcRe5mLVh2N6C0x-_hJEM7W61_JLnSF74p4q2', 'ключ', '🔑'];
      for (const client of [log, other])
        await client.publish(
          topic,
          keys.map(key => ({ key, value: Buffer.from('') })),
        );
      const found = await allContents(log, topic);
      expect(found).toHaveLength(12);
      for (const { key, partition } of found) expect(partition).toBe(partitionOf(key, 7));
    });

    test('keeps the order of each key under concurrent publishes', async () => {
      const clients = [await fresh(), await another()];
      const topic = await newTopic(clients[0]!);
      const publishing = clients.map((client, which) =>
        Promise.all(
          range(50).map(n =>
            client.publish(topic, [{ key: `writer-${which}`, value: Buffer.from(String(n)) }]),
          ),
        ),
      );
      await Promise.all(publishing);
      const all = await allContents(clients[0]!, topic);
      for (const which of range(2))
        expect(numbersOf(all.filter(({ key }) => key === `writer-${which}`))).toEqual(range(50));
    });

    test('stores bytes, headers and the time', async () => {
      const log = await fresh();
      const topic = await newTopic(log, 1);
      const all = Buffer.from(range(256));
      const long = Buffer.alloc(700_000, 'text');
      const before = Date.now();
      await log.publish(topic, [
        { key: 'ключ "1"', value: all, headers: { kind: 'ä"\\\n', 'x-y': '' } },
        { key: 'b', value: Buffer.alloc(0) },
        { key: 'c', value: long },
      ]);
      const after = Date.now();
      const found = await contents(log, topic, 0);
      expect(found).toMatchObject([
        { topic, partition: 0, offset: 0, key: 'ключ "1"', headers: { kind: 'ä"\\\n', 'x-y': '' } },
        { offset: 1, key: 'b', headers: {} },
        { offset: 2, key: 'c' },
      ]);
      expect(found.map(({ value }) => value.equals(all) || value.equals(long) || value.length)).toEqual([
        true,
        0,
        true,
      ]);
      for (const { timestamp } of found) {
        expect(timestamp).toBeGreaterThanOrEqual(before);
        expect(timestamp).toBeLessThanOrEqual(after);
      }
    });

    test('is durable when it resolves', async () => {
      const log = await fresh();
      const topic = await newTopic(log);
      await log.publish(topic, numbered(20));
      await log.close();
      const next = await another();
      expect(sorted(numbersOf(await allContents(next, topic)))).toEqual(range(20));
    });

    test('to an undeclared topic fails', async () => {
      const log = await fresh();
      await expect(log.publish(newName(), numbered(1))).rejects.toThrow();
    });

    test('of no messages does nothing', async () => {
      const log = await fresh();
      const topic = await newTopic(log, 1);
      await log.publish(topic, []);
      expect(await log.endOffsets(topic)).toEqual([0]);
    });
  });

  describe('declare', () => {
    test('leaves an existing topic unchanged', async () => {
      const log = await fresh();
      const topic = await newTopic(log, 3);
      await log.publish(topic, numbered(5));
      await log.declare([
        { name: topic, partitions: 3, cleanup: 'delete' },
        { name: `${topic}-2`, partitions: 2, cleanup: 'delete' },
      ]);
      expect((await log.endOffsets(topic)).reduce((sum, end) => sum + end)).toBe(5);
      expect(await log.endOffsets(`${topic}-2`)).toEqual([0, 0]);
    });

    test('of a compacted topic keeps at least the last message of each key, at its offset', async () => {
      const log = await fresh();
      const topic = await newTopic(log, 2, 'compact');
      for (const n of range(5)) await log.publish(topic, numbered(20, 6, n * 20));
      const latest = new Map(numbered(100, 6).map(({ key, value }) => [key, value.toString()]));
      const found = await allContents(log, topic);
      expect(new Map(found.map(({ key, value }) => [key, value.toString()]))).toEqual(latest);
      expect((await log.endOffsets(topic)).reduce((sum, end) => sum + end)).toBe(100);
      const offsets = (await contents(log, topic, 0)).map(({ offset }) => offset);
      expect(offsets).toEqual(sorted([...new Set(offsets)]));
    });
  });
}
