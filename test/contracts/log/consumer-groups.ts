import { newName, newTopic, numbered, numbersOf, type LogHarness, range, sorted, until } from './fixtures';

export function describeConsumerGroups({ fresh, another, consumer }: LogHarness): void {
  describe('a consumer group', () => {
    test('starts at the beginning and follows', async () => {
      const log = await fresh();
      const topic = await newTopic(log);
      await log.publish(topic, numbered(20));
      const { messages } = consumer(log, { group: newName(), topics: [topic] });
      await until(() => messages.length === 20);
      await log.publish(topic, numbered(20, 10, 20));
      await until(() => messages.length === 40);
      expect(sorted(numbersOf(messages))).toEqual(range(40));
    });

    test('continues at its committed offsets', async () => {
      const log = await fresh();
      const [topic, group] = [await newTopic(log), newName()];
      await log.publish(topic, numbered(20));
      const first = consumer(log, { group, topics: [topic] });
      await until(() => first.messages.length === 20);
      await first.stop();
      expect(await log.committedOffsets(group, topic)).toEqual(await log.endOffsets(topic));
      await log.publish(topic, numbered(20, 10, 20));
      const second = consumer(await another(), { group, topics: [topic] });
      await until(() => second.messages.length === 20);
      await second.stop();
      expect(sorted(numbersOf(second.messages))).toEqual(range(40, 20));
    });

    test('consumes all its topics', async () => {
      const log = await fresh();
      const topics = [await newTopic(log, 1), await newTopic(log, 3)];
      for (const topic of topics) await log.publish(topic, numbered(5));
      const { messages } = consumer(log, { group: newName(), topics });
      await until(() => messages.length === 10);
      expect(new Set(messages.map(({ topic }) => topic))).toEqual(new Set(topics));
    });

    test('gets all messages, like every other group', async () => {
      const log = await fresh();
      const topic = await newTopic(log);
      const groups = [newName(), newName()].map(group => consumer(log, { group, topics: [topic] }));
      await log.publish(topic, numbered(30));
      for (const { messages } of groups) {
        await until(() => messages.length === 30);
        expect(sorted(numbersOf(messages))).toEqual(range(30));
      }
    });

    test('starts a partition at the offset of startAt, otherwise at the committed one', async () => {
      const log = await fresh();
      const [topic, group] = [await newTopic(log, 2), newName()];
      await log.publish(topic, numbered(40));
      const ends = await log.endOffsets(topic);
      const first = consumer(log, { group, topics: [topic] });
      await until(() => first.messages.length === 40);
      await first.stop();
      const requested: [string, number][] = [];
      const second = consumer(log, {
        group,
        topics: [topic],
        startAt: async (name, partition) => {
          requested.push([name, partition]);
          return partition === 0 ? 2 : undefined;
        },
      });
      await until(() => second.messages.length === ends[0]! - 2);
      await log.publish(topic, numbered(40, 10, 40));
      await until(() => second.messages.length === ends[0]! - 2 + 40);
      await second.stop();
      expect(requested.sort()).toEqual([
        [topic, 0],
        [topic, 1],
      ]);
      const offsets = (partition: number): number[] =>
        second.messages.filter(message => message.partition === partition).map(({ offset }) => offset);
      expect(offsets(0)).toEqual(range(ends[0]! * 2, 2));
      expect(offsets(1)).toEqual(range(ends[1]! * 2, ends[1]!));
    });

    test('that never consumed has committed nothing', async () => {
      const log = await fresh();
      const topic = await newTopic(log, 3);
      await log.publish(topic, numbered(9));
      expect(await log.committedOffsets(newName(), topic)).toEqual([0, 0, 0]);
    });
  });
}
