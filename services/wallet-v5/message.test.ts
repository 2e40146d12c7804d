import { blockAfterExpiry, EXPIRY_MARGIN } from './message';

const VALID_UNTIL = 1_000;
const END = VALID_UNTIL + EXPIRY_MARGIN;

/** A node whose block of that number is the first after the expiry; null: it has none yet. */
const nodeWith = (block: number | null) => {
  const asked: number[] = [];
  const getBlockAt = (utime: number) => Promise.resolve((asked.push(utime), block));
  return { asked, client: { getBlockAt } };
};

it('a message is dead in the first block after its expiry and the margin, once a later one is known', async () => {
  const node = nodeWith(50);
  expect(await blockAfterExpiry(node, VALID_UNTIL, { seqno: 51, now: END + 1 })).toBe(50);
  expect(node.asked).toEqual([END]);
});

it.each<[string, number | null, { seqno: number; now: number }]>([
  ['in the margin after its expiry', 50, { seqno: 51, now: END }],
  ['while the first block after that is the newest', 51, { seqno: 51, now: END + 1 }],
  ['while the node is behind its own clock', null, { seqno: 51, now: END + 1 }],
])('it may still be carried out %s', async (_, block, newest) =>
  expect(await blockAfterExpiry(nodeWith(block), VALID_UNTIL, newest)).toBeNull(),
);
