import fc from 'fast-check';
import { bytesOf, type Parcel, takeLoad, topicMessages } from './load';

const TOPICS = ['a', 'b'].map(name => ({ name, remote: `x.${name}`, partitions: 3 }));

interface Sent {
  readonly topic: number;
  readonly partition: number;
  readonly bytes: number;
}

const parcel = ({ topic, partition, bytes }: Sent, n: number): Parcel<number> => ({
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

test('loads together are the queue in its order, none with a batch that is too large', () => {
  fc.assert(
    fc.property(fc.array(sent, { maxLength: 200 }), messages => {
      const queue = messages.map(parcel);
      const all: number[] = [];
      while (queue.length > 0) {
        const load = takeLoad(queue, 100);
        expect(load.length).toBeGreaterThan(0);
        const batches = new Map<string, number>();
        for (const { topic, partition, bytes, publish } of load) {
          const batch = `${topic.name}/${partition}`;
          batches.set(batch, (batches.get(batch) ?? 0) + bytes);
          all.push(publish);
        }
        for (const bytes of batches.values()) expect(bytes).toBeLessThanOrEqual(100);
      }
      expect(all).toEqual(messages.map((_, n) => n));
    }),
  );
});

test('a load is as large as it may be', () => {
  const messages = [90, 90, 90, 20].map((bytes, n) => ({ topic: 0, partition: n % 3, bytes }));
  expect(takeLoad(messages.map(parcel), 100).map(({ publish }) => publish)).toEqual([0, 1, 2]);
});

test('messages of a load are by topic, in order', () => {
  const load = [0, 1, 0].map((topic, n) => parcel({ topic, partition: 0, bytes: 1 }, n));
  expect(topicMessages(load).map(({ topic, messages }) => [topic, messages.map(({ key }) => key)])).toEqual([
    ['x.a', ['0', '2']],
    ['x.b', ['1']],
  ]);
});

test('headers and the key count, in bytes', () => {
  const bare = bytesOf('', Buffer.alloc(0), {});
  expect(bytesOf('ключ', Buffer.alloc(5), {}) - bare).toBe(13);
  expect(bytesOf('', Buffer.alloc(0), { ключ: 'ä' }) - bare).toBeGreaterThanOrEqual(10);
});
