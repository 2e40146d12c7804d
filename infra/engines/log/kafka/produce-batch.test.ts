import fc from 'fast-check';
import { recordBytes, type PendingRecord, nextBatch, topicMessages } from './produce-batch';
import { runs } from '../../../../test/random';

const TOPICS = ['a', 'b'].map(name => ({ name, remote: `x.${name}`, partitions: 3 }));

interface Sent {
  readonly topic: number;
  readonly partition: number;
  readonly bytes: number;
}

const pendingRecord = ({ topic, partition, bytes }: Sent, n: number): PendingRecord<number> => ({
  publish: n,
  topic: TOPICS[topic]!,
  partition,
  message: { key: String(n), value: Buffer.alloc(0) },
  bytes,
});

const sent = fc.record({
  topic: fc.nat({ max: 1 }),
  partition: fc.nat({ max: 2 }),
  bytes: fc.integer({ min: 1, max: 100 }),
});

test('batches preserve the order of the queue, and none exceeds the maximum size', () => {
  fc.assert(
    fc.property(fc.array(sent, { maxLength: 200 }), messages => {
      const queue = messages.map(pendingRecord);
      const all: number[] = [];
      while (queue.length > 0) {
        const batch = nextBatch(queue, 100);
        expect(batch.length).toBeGreaterThan(0);
        const batches = new Map<string, number>();
        for (const { topic, partition, bytes, publish } of batch) {
          const key = `${topic.name}/${partition}`;
          batches.set(key, (batches.get(key) ?? 0) + bytes);
          all.push(publish);
        }
        for (const bytes of batches.values()) expect(bytes).toBeLessThanOrEqual(100);
      }
      expect(all).toEqual(messages.map((_, n) => n));
    }),
    runs(100),
  );
});

test('a batch is as large as allowed', () => {
  const messages = [90, 90, 90, 20].map((bytes, n) => ({ topic: 0, partition: n % 3, bytes }));
  expect(nextBatch(messages.map(pendingRecord), 100).map(({ publish }) => publish)).toEqual([0, 1, 2]);
});

test('messages are grouped by topic, in order', () => {
  const batch = [0, 1, 0].map((topic, n) => pendingRecord({ topic, partition: 0, bytes: 1 }, n));
  expect(topicMessages(batch).map(({ topic, messages }) => [topic, messages.map(({ key }) => key)])).toEqual([
    ['x.a', ['0', '2']],
    ['x.b', ['1']],
  ]);
});

test('the size includes headers and key, in bytes', () => {
  const bare = recordBytes('', Buffer.alloc(0), {});
  expect(recordBytes('ключ', Buffer.alloc(5), {}) - bare).toBe(13);
  expect(recordBytes('', Buffer.alloc(0), { ключ: 'ä' }) - bare).toBeGreaterThanOrEqual(10);
});
