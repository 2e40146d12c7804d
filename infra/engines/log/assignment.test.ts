import fc from 'fast-check';
import { dueTo } from './assignment';

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

test('each partition is due to exactly one member that wants its topic, evenly, whoever reckons', () => {
  fc.assert(
    fc.property(members, all => {
      const due = new Map(all.map(({ id }) => [id, dueTo(id, [...all].reverse(), partitions)]));
      for (const topic of topics) {
        const takers = all.filter(member => member.topics.includes(topic));
        const counts = takers.map(
          ({ id }) => due.get(id)!.filter(partition => partition.topic === topic).length,
        );
        const total = partitions.filter(partition => partition.topic === topic).length;
        expect(counts.reduce((sum, count) => sum + count, 0)).toBe(takers.length === 0 ? 0 : total);
        if (takers.length > 0) expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1);
      }
      const dealt = [...due.values()].flat();
      expect(new Set(dealt).size).toBe(dealt.length);
    }),
  );
});
