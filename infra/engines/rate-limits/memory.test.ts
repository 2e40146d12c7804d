import { createMemoryLimits } from './memory';

it('counts a call as often as it costs', async () => {
  const limits = createMemoryLimits({ storage_writes: 5 });
  expect(await limits.consume('storage_writes', 'a', 3)).toMatchObject({ remaining: 2, exceeded: false });
  expect(await limits.consume('storage_writes', 'a')).toMatchObject({ remaining: 1, exceeded: false });
  expect(await limits.consume('storage_writes', 'a', 2)).toMatchObject({ remaining: 0, exceeded: true });
  expect(await limits.consume('storage_writes', 'b', 5)).toMatchObject({ remaining: 0, exceeded: false });
  expect(await limits.consume('storage_reads', 'a', 99)).toBeNull();
});
