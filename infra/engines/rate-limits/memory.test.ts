import { createMemoryLimits, MAX_KEYS, MAX_KEYS_OF_DAY } from './memory';

it('counts a call as often as it costs', async () => {
  const limits = createMemoryLimits({ storage_writes: 5 });
  expect(await limits.consume('storage_writes', 'a', 3)).toMatchObject({ remaining: 2, exceeded: false });
  expect(await limits.consume('storage_writes', 'a')).toMatchObject({ remaining: 1, exceeded: false });
  expect(await limits.consume('storage_writes', 'a', 2)).toMatchObject({ remaining: 0, exceeded: true });
  expect(await limits.consume('storage_writes', 'b', 5)).toMatchObject({ remaining: 0, exceeded: false });
  expect(await limits.consume('storage_reads', 'a', 99)).toBeNull();
});

it('tells what is left of a quota in a window of its own, and a call that costs nothing takes nothing of it', async () => {
  const limits = createMemoryLimits({ reviews: 5, reviews_per_day: { calls: 9, seconds: 86_400 } });
  await limits.consume('reviews_per_day', 'a', 4);
  for (let n = 0; n < 3; n++)
    expect(await limits.consume('reviews_per_day', 'a', 0)).toMatchObject({
      quota: 9,
      window: 86_400,
      remaining: 5,
      exceeded: false,
    });
  expect(await limits.consume('reviews', 'a')).toMatchObject({ quota: 5, window: 60, remaining: 4 });
});

it('counts a day from midnight UTC for every key, so that all share the same one', async () => {
  jest.useFakeTimers({ now: Date.parse('2026-03-01T18:00:00.500Z') });
  try {
    const limits = createMemoryLimits({ reviews_per_day: { calls: 9, seconds: 86_400 } });
    await limits.consume('reviews_per_day', 'everybody', 4);
    jest.setSystemTime(Date.parse('2026-03-01T23:59:00.000Z'));
    expect(await limits.consume('reviews_per_day', 'a', 4)).toMatchObject({ remaining: 5, resetsIn: 60 });
    expect(await limits.consume('reviews_per_day', 'everybody', 1)).toMatchObject({ remaining: 4 });
    jest.setSystemTime(Date.parse('2026-03-02T00:00:01.000Z'));
    for (const key of ['everybody', 'a'])
      expect(await limits.consume('reviews_per_day', key, 1)).toMatchObject({
        remaining: 8,
        resetsIn: 86_399,
      });
  } finally {
    jest.useRealTimers();
  }
});

it('a stranger with any number of addresses neither gets more of what all may have in a day, nor takes it from others', async () => {
  const limits = createMemoryLimits({
    reviews: 5,
    reviews_per_day: { calls: 20_000, seconds: 86_400 },
  });
  await limits.consume('reviews_per_day', 'everybody', 7_000);
  await limits.consume('reviews', 'honest', 2);
  for (let n = 0; n < 2 * MAX_KEYS_OF_DAY; n += 1) {
    // As a call that is counted does: what all have, and what its caller has.
    await limits.consume('reviews_per_day', 'everybody');
    await limits.consume('reviews_per_day', `stranger ${n}`);
    await limits.consume('reviews', `stranger ${n}`);
  }
  for (let n = 0; n < MAX_KEYS; n += 1) await limits.consume('reviews', `other ${n}`);
  expect(await limits.consume('reviews_per_day', 'everybody', 0)).toMatchObject({ remaining: 3_000 });
  // Of too many that are counted the oldest begin again: nobody is refused for what others do.
  expect(await limits.consume('reviews', 'honest')).toMatchObject({ remaining: 4 });
  expect(await limits.consume('reviews', `other ${MAX_KEYS - 1}`)).toMatchObject({ remaining: 3 });
});
