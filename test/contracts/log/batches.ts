import { newName, newTopic, numbered, numbersOf, type Places, range, sorted, until } from './places';

const gate = (): { open: () => void; passed: Promise<void> } => {
  let open = (): void => undefined;
  const passed = new Promise<void>(resolve => (open = resolve));
  return { open, passed };
};

export function describeBatches({ fresh, consumer }: Places): void {
  describe('the batches of a consumer', () => {
    test('are of bounded size, and of one partition one after the other, in order', async () => {
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
            range(batch.next, next[batch.partition]!),
          );
          next[batch.partition] = batch.next;
          await new Promise(resolve => setTimeout(resolve, 1));
          busy.delete(batch.partition);
        },
      );
      await Promise.race([done, until(() => messages.length === 300)]);
      await stop();
      expect(next).toEqual(await log.ends(topic));
    });

    test('of two partitions are in hand at the same time', async () => {
      const log = await fresh();
      const topic = await newTopic(log, 2);
      await log.publish(topic, numbered(40));
      const { open, passed } = gate();
      const inHand = new Set<number>();
      const { messages } = consumer(log, { group: newName(), topics: [topic] }, async batch => {
        inHand.add(batch.partition);
        if (inHand.size === 2) open();
        await passed;
      });
      await passed;
      await until(() => messages.length === 40);
    });

    test('are acknowledged when the handler is done, and not before', async () => {
      const log = await fresh();
      const [topic, group] = [await newTopic(log, 1), newName()];
      await log.publish(topic, numbered(10));
      const { open, passed } = gate();
      const { messages, stop } = consumer(log, { group, topics: [topic] }, () => passed);
      await until(() => messages.length === 10);
      expect(await log.committed(group, topic)).toEqual([0]);
      open();
      await until(async () => (await log.committed(group, topic))[0] === 10);
      await stop();
    });

    test('in hand at the signal are finished and acknowledged first', async () => {
      const log = await fresh();
      const [topic, group] = [await newTopic(log, 1), newName()];
      await log.publish(topic, numbered(10));
      const { open, passed } = gate();
      const { messages, stop } = consumer(log, { group, topics: [topic], batchSize: 4 }, () => passed);
      await until(() => messages.length > 0);
      let stopped = false;
      const stopping = stop().then(() => (stopped = true));
      await new Promise(resolve => setTimeout(resolve, 20));
      expect(stopped).toBe(false);
      open();
      await stopping;
      expect(messages).toHaveLength(4);
      expect(await log.committed(group, topic)).toEqual([4]);
    });

    test('that failed stop the consumer with the error and come again', async () => {
      const log = await fresh();
      const [topic, group] = [await newTopic(log), newName()];
      await log.publish(topic, numbered(40));
      const failure = new Error('cannot handle 13');
      const first = consumer(log, { group, topics: [topic], batchSize: 3 }, async batch => {
        if (numbersOf(batch.messages).includes(13)) throw failure;
      });
      await expect(first.done).rejects.toBe(failure);
      const committed = await log.committed(group, topic);
      const second = consumer(log, { group, topics: [topic] });
      const ends = await log.ends(topic);
      await until(async () => String(await log.committed(group, topic)) === String(ends));
      for (const partition of range(4)) {
        const offsets = second.messages.filter(message => message.partition === partition).map(m => m.offset);
        expect(offsets).toEqual(range(ends[partition]!, committed[partition]!));
      }
      expect(numbersOf(second.messages)).toContain(13);
      expect(sorted([...new Set(numbersOf([...first.messages, ...second.messages]))])).toEqual(range(40));
    });
  });
}
