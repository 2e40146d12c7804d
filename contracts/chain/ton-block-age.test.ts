import { isBehind } from './ton-block-age';

const NOW = 1_795_000_000;

it('a node is behind when its newest block is older than two minutes', () => {
  const seen = (age: number): boolean => isBehind({ now: NOW - age }, new Date(NOW * 1_000));
  for (const age of [-300, 0, 60, 120]) expect(seen(age)).toBe(false);
  expect(seen(121)).toBe(true);
});
