import type { Log } from '../../../contracts/ports/log';
import {
  type Consumer,
  newName,
  newTopic,
  numbered,
  numbersOf,
  type LogHarness,
  range,
  sorted,
  until,
} from './fixtures';

/** Publishes messages to every partition and returns the partitions from which each consumer got them. */
const shares = async (log: Log, topic: string, consumers: readonly Consumer[]): Promise<number[][]> => {
  const before = consumers.map(({ messages }) => messages.length);
  await log.publish(topic, numbered(60, 60));
  const fresh = (): number =>
    consumers.reduce((sum, { messages }, index) => sum + messages.length - before[index]!, 0);
  await until(() => fresh() >= 60);
  return consumers.map(({ messages }, index) =>
    sorted([...new Set(messages.slice(before[index]!).map(({ partition }) => partition))]),
  );
};

export function describeRebalancing({ fresh, another, consumer }: LogHarness): void {
  describe('the members of a group', () => {
    test('share the partitions, also those of a member that leaves', async () => {
      const [log, other] = [await fresh(), await another()];
      const [topic, group] = [await newTopic(log, 4), newName()];
      const first = consumer(log, { group, topics: [topic] });
      expect(await shares(log, topic, [first])).toEqual([[0, 1, 2, 3]]);
      const second = consumer(other, { group, topics: [topic] });
      let now: number[][] = [];
      await until(async () => {
        now = await shares(log, topic, [first, second]);
        return now[1]!.length === 2;
      });
      expect(sorted(now.flat())).toEqual([0, 1, 2, 3]);
      await first.stop();
      await until(async () => (await shares(log, topic, [second]))[0]!.length === 4);
    });

    test('never handle a partition concurrently while members join and leave, and miss no message', async () => {
      const clients = [await fresh(), await another()];
      const [topic, group] = [await newTopic(clients[0]!, 4), newName()];
      const handling = new Set<number>();
      const overlaps: number[] = [];
      const started: Consumer[] = [];
      const join = (client: Log): Consumer => {
        const member = consumer(client, { group, topics: [topic], batchSize: 5 }, async ({ partition }) => {
          if (handling.has(partition)) overlaps.push(partition);
          handling.add(partition);
          await new Promise(resolve => setTimeout(resolve, 1));
          handling.delete(partition);
        });
        started.push(member);
        return member;
      };
      const members = [join(clients[0]!)];
      for (const round of range(8)) {
        await clients[round % 2]!.publish(topic, numbered(100, 40, round * 100));
        if (round % 3 === 2) await members.shift()!.stop();
        else members.push(join(clients[round % 2]!));
      }
      const ends = String(await clients[0]!.endOffsets(topic));
      await until(async () => String(await clients[0]!.committedOffsets(group, topic)) === ends);
      expect(overlaps).toEqual([]);
      const seen = started.flatMap(({ messages }) => numbersOf(messages));
      expect(sorted([...new Set(seen)])).toEqual(range(800));
    });

    test('beyond the number of partitions are idle until one leaves', async () => {
      const clients = [await fresh(), await another()];
      const [topic, group] = [await newTopic(clients[0]!, 1), newName()];
      const members = clients.map(client => consumer(client, { group, topics: [topic] }));
      const [busy] = await shares(clients[0]!, topic, members).then(now =>
        now.flatMap((p, i) => (p[0] === 0 ? [i] : [])),
      );
      await members[busy!]!.stop();
      const spare = members[1 - busy!]!;
      await clients[0]!.publish(topic, numbered(5));
      await until(async () => (await clients[0]!.committedOffsets(group, topic))[0] === 65);
      expect(spare.messages.length).toBeGreaterThanOrEqual(5);
    });

    test('that subscribe to different topics get only those', async () => {
      const [log, other] = [await fresh(), await another()];
      const group = newName();
      const topics = [await newTopic(log, 2), await newTopic(log, 2)];
      const both = consumer(log, { group, topics });
      const second = consumer(other, { group, topics: topics.slice(1) });
      for (const topic of topics) await log.publish(topic, numbered(20));
      const total = (): Set<string> =>
        new Set([...both.messages, ...second.messages].map(m => `${m.topic}/${m.partition}/${m.offset}`));
      await until(() => total().size === 40);
      expect(second.messages.every(({ topic }) => topic === topics[1])).toBe(true);
    });
  });
}
