import fc from 'fast-check';
import { assignPartitions } from './assign-partitions';
import { runs } from '../../../test/random';

const topics = ['a', 'b', 'c'];
const partitions = [
  { topic: 'a', number: 0 },
  ...Array.from({ length: 4 }, (_, number) => ({ topic: 'b', number })),
  ...Array.from({ length: 7 }, (_, number) => ({ topic: 'c', number })),
];
const members = fc.uniqueArray(
  fc.record({ id: fc.integer({ min: 1, max: 1000 }), topics: fc.subarray(topics) }),
  { selector: ({ id }) => id, maxLength: 6 },
);

test('each partition is assigned to exactly one subscriber of its topic, evenly, whatever the order of the members', () => {
  fc.assert(
    fc.property(members, all => {
      const assignments = new Map(
        all.map(({ id }) => [id, assignPartitions(id, [...all].reverse(), partitions)]),
      );
      for (const topic of topics) {
        const subscribers = all.filter(member => member.topics.includes(topic));
        const counts = subscribers.map(
          ({ id }) => assignments.get(id)!.filter(partition => partition.topic === topic).length,
        );
        const total = partitions.filter(partition => partition.topic === topic).length;
        expect(counts.reduce((sum, count) => sum + count, 0)).toBe(subscribers.length === 0 ? 0 : total);
        if (subscribers.length > 0) expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1);
      }
      const assigned = [...assignments.values()].flat();
      expect(new Set(assigned).size).toBe(assigned.length);
    }),
    runs(100),
  );
});
