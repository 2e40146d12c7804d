import { createSourceLimits } from './source-limits';

const source = { name: 'partner', maxConcurrent: 2 };

/** Reads that end when the test says so. */
function openReads() {
  const ends: (() => void)[] = [];
  const read = () => new Promise<void>(resolve => void ends.push(resolve));
  return { ends, read };
}
const nextTick = () => new Promise<void>(resolve => setImmediate(resolve));

test('no more reads of a queue run at once than its source allows', async () => {
  const limits = createSourceLimits();
  const { ends, read } = openReads();
  const all = [1, 2, 3].map(() => limits.run(source, 'observe-partner', read));
  await nextTick();
  expect(ends).toHaveLength(2);
  ends[0]!();
  await all[0];
  await nextTick();
  expect(ends).toHaveLength(3);
  ends.forEach(end => end());
  await Promise.all(all);
});

test('a queue whose reads are slow delays no other', async () => {
  const limits = createSourceLimits();
  const { ends, read } = openReads();
  const slow = [1, 2, 3].map(() => limits.run(source, 'observe-partner-a', read));
  expect(await limits.run(source, 'observe-partner-b', async () => 'read')).toBe('read');
  for (let n = 0; n < slow.length; n++) {
    ends.forEach(end => end());
    await nextTick();
  }
  await Promise.all(slow);
});

test('no more reads begin within a second than the source allows', async () => {
  jest.useFakeTimers();
  try {
    const limits = createSourceLimits();
    let begun = 0;
    const limited = { name: 'metered', maxConcurrent: 10, maxPerSecond: 2 };
    const all = Promise.all(
      [1, 2, 3, 4, 5].map(() => limits.run(limited, 'observe-metered', async () => void begun++)),
    );
    await jest.advanceTimersByTimeAsync(100);
    expect(begun).toBe(2);
    await jest.advanceTimersByTimeAsync(5_000);
    await all;
    expect(begun).toBe(5);
  } finally {
    jest.useRealTimers();
  }
});
