import { createFairSemaphore, type FairSemaphore } from './fair-semaphore';

/** Work that ends when the test says so. */
function openWork(semaphore: FairSemaphore) {
  const begun: string[] = [];
  const refused: string[] = [];
  const ends: (() => void)[] = [];
  const ask = (caller: string, name: string, signal?: AbortSignal): void => {
    const work = async (): Promise<void> => {
      begun.push(name);
      await new Promise<void>(resolve => void ends.push(resolve));
    };
    semaphore.run(caller, work, signal).catch((error: Error) => refused.push(`${name} ${error.name}`));
  };
  const endOne = async (): Promise<void> => {
    ends.shift()!();
    await nextTick();
  };
  return { begun, refused, ask, endOne };
}
const nextTick = () => new Promise<void>(resolve => setImmediate(resolve));

test('no more runs at once than is allowed, also after a failure', async () => {
  const semaphore = createFairSemaphore({ maxConcurrent: 2, maxWaiting: 9 });
  const failing = semaphore.run('a', async () => Promise.reject(new Error('failed')));
  const { begun, ask, endOne } = openWork(semaphore);
  for (const name of ['1', '2', '3']) ask('a', name);
  expect(begun).toEqual(['1']);
  await expect(failing).rejects.toThrow('failed');
  expect(begun).toEqual(['1', '2']);
  await endOne();
  expect(begun).toEqual(['1', '2', '3']);
  await endOne();
  expect(semaphore.isIdle).toBe(false);
  await endOne();
  expect(semaphore.isIdle).toBe(true);
});

test('who asks for one thing waits for one of each caller who asks for hundreds', async () => {
  const { begun, ask, endOne } = openWork(createFairSemaphore({ maxConcurrent: 1, maxWaiting: 1_000 }));
  for (let n = 0; n < 480; n++) ask(`stranger ${n % 8}`, `s${n}`);
  ask('honest', 'h');
  for (let n = 0; n < 9; n++) await endOne();
  expect(begun).toContain('h');
});

test('of too much that waits the newest of the caller with most is refused', async () => {
  const { begun, refused, ask, endOne } = openWork(createFairSemaphore({ maxConcurrent: 1, maxWaiting: 3 }));
  for (const name of ['runs', '1', '2', '3', '4']) ask('stranger', name);
  ask('honest', 'h');
  await nextTick();
  expect(refused).toEqual(['4 TooManyWaiting', '3 TooManyWaiting']);
  for (let n = 0; n < 4; n++) await endOne();
  expect(begun).toEqual(['runs', '1', 'h', '2']);
});

test('what is given up while it waits does not run', async () => {
  const semaphore = createFairSemaphore({ maxConcurrent: 1, maxWaiting: 3 });
  const { begun, refused, ask, endOne } = openWork(semaphore);
  const stop = new AbortController();
  ask('a', 'runs', stop.signal);
  ask('a', 'waits', stop.signal);
  stop.abort();
  ask('a', 'later', stop.signal);
  await nextTick();
  expect(new Set(refused)).toEqual(new Set(['waits AbortError', 'later AbortError']));
  await endOne();
  expect(begun).toEqual(['runs']);
  expect(semaphore.isIdle).toBe(true);
});
