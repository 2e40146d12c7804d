import { createMemoryLimits } from './memory';

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
