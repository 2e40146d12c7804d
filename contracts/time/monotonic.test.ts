import { monotonic } from './monotonic';

it('goes on at the pace of its clock where that is set back', () => {
  let time = 10_000;
  const now = monotonic(() => time);
  const seen = [now()];
  for (const step of [5, -9_000, 5, 0, -1, 100]) {
    time += step;
    seen.push(now());
  }
  expect(seen).toEqual([10_000, 10_005, 10_005, 10_010, 10_010, 10_010, 10_110]);
});
