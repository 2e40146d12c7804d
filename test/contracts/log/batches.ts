import { newName, newTopic, numbered, numbersOf, type LogHarness, range, sorted, until } from './fixtures';

const deferred = (): { resolve: () => void; promise: Promise<void> } => {
  let resolve = (): void => undefined;
  const promise = new Promise<void>(settle => (resolve = settle));
  return { resolve, promise };
};

export function describeBatches({ fresh, consumer }: LogHarness): void {
  describe('the batches of a consumer', () => {
    test('have a bounded size, and those of one partition are handled in order, one at a time', async () => {
      const log = await fresh();
      const topic = await newTopic(log, 2);
      await log.publish(topic, numbered(300, 50));
      const busy = new Set<number>();
      const next = [0, 0];
      const { messages, done, stop } = consumer(
        log,
        { group: newName(), topics: [topic], batchSize: 16 },
        async batch => {
          expect(busy.has(batch.partition)).toBe(false);
          busy.add(batch.partition);
          expect(batch.messages.length).toBeLessThanOrEqual(16);
          expect(batch.messages.map(({ offset }) => offset)).toEqual(
            range(batch.nextOffset, next[batch.partition]!),
          );
          next[batch.partition] = batch.nextOffset;
          await new Promise(resolve => setTimeout(resolve, 1));
          busy.delete(batch.partition);
        },
      );
      await Promise.race([done, until(() => messages.length === 300)]);
      await stop();
      expect(next).toEqual(await log.endOffsets(topic));
    });

    test('of two partitions are handled concurrently', async () => {
      const log = await fresh();
      const topic = await newTopic(log, 2);
      await log.publish(topic, numbered(40));
      const { resolve, promise } = deferred();
      const inHand = new Set<number>();
      const { messages } = consumer(log, { group: newName(), topics: [topic] }, async batch => {
        inHand.add(batch.partition);
        if (inHand.size === 2) resolve();
        await promise;
      });
      await promise;
      await until(() => messages.length === 40);
    });

    test('are committed when the handler is done, and not before', async () => {
      const log = await fresh();
      const [topic, group] = [await newTopic(log, 1), newName()];
      await log.publish(topic, numbered(10));
      const { resolve, promise } = deferred();
      const { messages, stop } = consumer(log, { group, topics: [topic] }, () => promise);
      await until(() => messages.length === 10);
      expect(await log.committedOffsets(group, topic)).toEqual([0]);
      resolve();
      await until(async () => (await log.committedOffsets(group, topic))[0] === 10);
      await stop();
    });

    test('being handled at the signal are finished and committed first', async () => {
      const log = await fresh();
      const [topic, group] = [await newTopic(log, 1), newName()];
      await log.publish(topic, numbered(10));
      const { resolve, promise } = deferred();
      const order: string[] = [];
      const handle = () => promise.then(() => void order.push('handled'));
      const { messages, stop } = consumer(log, { group, topics: [topic], batchSize: 4 }, handle);
      await until(() => messages.length > 0);
      const stopping = stop().then(() => order.push('stopped'));
      // A consumer that did not wait for its handler would stop during these round trips.
      for (const n of range(3)) await log.publish(topic, numbered(1, 1, 10 + n));
      resolve();
      await stopping;
      expect(order).toEqual(['handled', 'stopped']);
      expect(messages).toHaveLength(4);
      expect(await log.committedOffsets(group, topic)).toEqual([4]);
    });

    test('that fail stop the consumer with the error, and are delivered again', async () => {
      const log = await fresh();
      const [topic, group] = [await newTopic(log), newName()];
      await log.publish(topic, numbered(40));
      const failure = new Error('cannot handle 13');
      const first = consumer(log, { group, topics: [topic], batchSize: 3 }, async batch => {
        if (numbersOf(batch.messages).includes(13)) throw failure;
      });
      await expect(first.done).rejects.toBe(failure);
      const committed = await log.committedOffsets(group, topic);
      const second = consumer(log, { group, topics: [topic] });
      const ends = await log.endOffsets(topic);
      await until(async () => String(await log.committedOffsets(group, topic)) === String(ends));
      for (const partition of range(4)) {
        const offsets = second.messages.filter(message => message.partition === partition).map(m => m.offset);
        expect(offsets).toEqual(range(ends[partition]!, committed[partition]!));
      }
      expect(numbersOf(second.messages)).toContain(13);
      expect(sorted([...new Set(numbersOf([...first.messages, ...second.messages]))])).toEqual(range(40));
    });
  });
}
