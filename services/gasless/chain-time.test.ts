import { chainTime } from './chain-time';

const NOW = 1_795_000_000;
/** @param age of the newest block, by the clock of this machine, in seconds */
const seen = (age: number) => [{ now: NOW - age }, new Date(NOW * 1_000)] as const;

it('is that of the newest block, unless a clock that is a minute off would say a later one', () => {
  for (const age of [-60, 0, 60]) expect(chainTime(...seen(age))).toBe(NOW - age);
  expect(chainTime(...seen(61))).toBe(NOW - 60);
});
