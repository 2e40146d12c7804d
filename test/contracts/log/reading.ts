import type { LogBatch } from '../../../contracts/ports/log';
import { contents, newTopic, numbered, numbersOf, type LogHarness, range } from './fixtures';

export function describeReading({ fresh, another }: LogHarness): void {
  describe('read', () => {
    test('returns batches of bounded size with the offset to continue from', async () => {
      const log = await fresh();
      const topic = await newTopic(log, 1);
      await log.publish(topic, numbered(2_500));
      const numbers: number[] = [];
      for await (const batch of log.read({ topic, partition: 0, from: 30, batchSize: 200, follow: false })) {
        expect(batch).toMatchObject({ topic, partition: 0 });
        expect(batch.messages.length).toBeLessThanOrEqual(200);
        expect(batch.nextOffset).toBe(batch.messages.at(-1)!.offset + 1);
        numbers.push(...numbersOf(batch.messages));
      }
      expect(numbers).toEqual(range(2_500, 30));
    });

    test('at the end of a partition ends at once', async () => {
      const log = await fresh();
      const topic = await newTopic(log, 2);
      await log.publish(topic, [{ key: 'a', value: Buffer.from('1') }]);
      const [at] = (await log.endOffsets(topic)).flatMap((end, partition) => (end === 1 ? [partition] : []));
      expect(await contents(log, topic, 1 - at!)).toEqual([]);
      for await (const batch of log.read({ topic, partition: at!, from: 1, follow: false }))
        throw new Error(`unexpected batch to ${batch.nextOffset}`);
    });

    test('can be repeated from the start, and commits no offsets', async () => {
      const log = await fresh();
      const topic = await newTopic(log, 1);
      await log.publish(topic, numbered(10));
      for (let time = 0; time < 3; time += 1)
        expect(numbersOf(await contents(log, topic, 0))).toEqual(range(10));
      expect(await log.committedOffsets('any-group', topic)).toEqual([0]);
    });

    test('follows new messages of any client until the signal', async () => {
      const [log, other] = [await fresh(), await another()];
      const topic = await newTopic(log, 1);
      await log.publish(topic, numbered(3));
      const end = new AbortController();
      const numbers: number[] = [];
      let next = 0;
      const reading = log.read({ topic, partition: 0, from: 0, follow: true, signal: end.signal });
      for await (const batch of reading as AsyncIterable<LogBatch>) {
        numbers.push(...numbersOf(batch.messages));
        next = batch.nextOffset;
        if (next === 3) void other.publish(topic, numbered(2, 10, 3));
        if (next === 5) void log.publish(topic, numbered(2, 10, 5));
        if (next === 7) end.abort();
      }
      expect(numbers).toEqual(range(7));
      expect(next).toBe(7);
    });

    test('of a partition that does not exist fails', async () => {
      const log = await fresh();
      const topic = await newTopic(log, 1);
      await expect(contents(log, topic, 1)).rejects.toThrow();
    });
  });
}
