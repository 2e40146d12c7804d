import { describeShares, PER_DAY } from '../../../test/contracts/rate-limits';
import { createMemoryLimits, MAX_KEYS, MAX_KEYS_OF_DAY } from './memory';

it('counts a call as often as it costs', async () => {
  const limits = createMemoryLimits({ storage_writes: 5 });
  expect(await limits.consume('storage_writes', 'a', 3)).toMatchObject({ remaining: 2, exceeded: false });
  expect(await limits.consume('storage_writes', 'a')).toMatchObject({ remaining: 1, exceeded: false });
  expect(await limits.consume('storage_writes', 'a', 2)).toMatchObject({ remaining: 0, exceeded: true });
  expect(await limits.consume('storage_writes', 'b', 5)).toMatchObject({ remaining: 0, exceeded: false });
  expect(await limits.consume('storage_reads', 'a', 99)).toBeNull();
});

it('a call that costs more than the quota is made once in a minute', async () => {
  const limits = createMemoryLimits({ bridge_streams: 3 });
  const take = (cost: number) => limits.consume('bridge_streams', 'a', cost);
  expect(await take(10)).toMatchObject({ remaining: 0, exceeded: false });
  expect(await take(1)).toMatchObject({ exceeded: true });
});

describeShares('memory', async () => {
  const limits = createMemoryLimits({}, PER_DAY);
  return [limits, limits];
});

it('counts a day from midnight UTC for every key, so that all share the same one', async () => {
  jest.useFakeTimers({ now: Date.parse('2026-03-01T18:00:00.500Z') });
  try {
    const limits = createMemoryLimits({}, { reviews_per_day: 9 });
    const take = (own: string, cost: number) =>
      limits.takeShare('reviews_per_day', { everybody: 'everybody', own }, cost);
    expect(await take('a', 2)).toBeNull();
    jest.setSystemTime(Date.parse('2026-03-01T23:59:00.000Z'));
    expect(await take('a', 1)).toEqual({ quota: 9, resetsIn: 60 });
    expect(await take('b', 1)).toBeNull();
    jest.setSystemTime(Date.parse('2026-03-02T00:00:01.000Z'));
    expect(await take('a', 2)).toBeNull();
    expect(await take('a', 1)).toEqual({ quota: 9, resetsIn: 86_399 });
  } finally {
    jest.useRealTimers();
  }
});

it('a stranger with any number of addresses neither gets more of what all may have in a day, nor takes it from others', async () => {
  const limits = createMemoryLimits({ reviews: 5 }, { reviews_per_day: 3 * MAX_KEYS_OF_DAY });
  const take = (own: string) => limits.takeShare('reviews_per_day', { everybody: 'everybody', own }, 1);
  await limits.consume('reviews', 'honest', 2);
  for (let n = 0; n < 3 * MAX_KEYS_OF_DAY; n += 1) {
    expect(await take(`stranger ${n}`)).toBeNull();
    await limits.consume('reviews', `stranger ${n}`);
  }
  for (let n = 0; n < MAX_KEYS; n += 1) await limits.consume('reviews', `other ${n}`);
  // What all have left is never among the keys that are forgotten.
  expect(await take('one more')).toMatchObject({ quota: 3 * MAX_KEYS_OF_DAY });
  // Of too many that are counted the oldest begin again: nobody is refused for what others do.
  expect(await limits.consume('reviews', 'honest')).toMatchObject({ remaining: 4 });
  expect(await limits.consume('reviews', `other ${MAX_KEYS - 1}`)).toMatchObject({ remaining: 3 });
});
