import { asCaller, currentCaller } from './current-caller';
import { createFairSemaphore, type FairSemaphore } from './fair-semaphore';

/** Work that ends when the test says so. */
function openWork(semaphore: FairSemaphore) {
  const begun: string[] = [];
  const refused: string[] = [];
  const ends: (() => void)[] = [];
  const ask = (caller: string, name: string, signal?: AbortSignal, weight = 1): void => {
    const work = async (): Promise<void> => {
      begun.push(name);
      await new Promise<void>(resolve => void ends.push(resolve));
    };
    semaphore
      .run({ caller, weight }, work, signal)
      .catch((error: Error) => refused.push(`${name} ${error.name}`));
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
  const failing = semaphore.run({ caller: 'a' }, async () => Promise.reject(new Error('failed')));
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

describe('work that weighs more', () => {
  const fixture = () => openWork(createFairSemaphore({ maxConcurrent: 2, maxWaiting: 40 }));

  test('runs by itself, and is not overtaken by any that comes later', async () => {
    const { begun, ask, endOne } = fixture();
    ask('stranger', '1');
    ask('honest', 'heavy', undefined, 2);
    for (const name of ['2', '3', '4']) ask('stranger', name);
    expect(begun).toEqual(['1']);
    await endOne();
    expect(begun).toEqual(['1', 'heavy']);
    await endOne();
    expect(begun).toEqual(['1', 'heavy', '2', '3']);
  });

  test('keeps nobody waiting once it is given up', async () => {
    const { begun, ask } = fixture();
    const stop = new AbortController();
    ask('a', '1');
    ask('b', 'heavy', stop.signal, 2);
    ask('c', '2');
    expect(begun).toEqual(['1']);
    stop.abort();
    await nextTick();
    expect(begun).toEqual(['1', '2']);
  });
});

describe('shares of what runs', () => {
  /** Four at a time, of which a caller and a target have two each; what has begun, and for whom. */
  function fixture() {
    const semaphore = createFairSemaphore({ maxConcurrent: 4, maxWaiting: 40, share: 2 });
    const begun: string[] = [];
    const ends = new Map<string, () => void>();
    const ask = (caller: string, key: string, target = key): void => {
      void semaphore.run({ caller, key, target: () => target }, async by => {
        begun.push(`${key} for ${by}`);
        await new Promise<void>(resolve => ends.set(key, resolve));
      });
    };
    const end = async (key: string): Promise<void> => {
      ends.get(key)!();
      await nextTick();
    };
    return { semaphore, begun, ask, end };
  }

  test('a caller has its share, and others have theirs at once', () => {
    const { begun, ask } = fixture();
    for (const key of ['a', 'b', 'c']) ask('stranger', key);
    ask('honest', 'h');
    expect(begun).toEqual(['a for stranger', 'b for stranger', 'h for honest']);
  });

  test('a caller may exceed it where that is wanted, while as much is left to others', async () => {
    const options = { maxConcurrent: 4, maxWaiting: 40, share: 1, exceedsShare: true };
    const { begun, ask, endOne } = openWork(createFairSemaphore(options));
    for (const name of ['1', '2', '3', '4', '5']) ask('stranger', name);
    expect(begun).toEqual(['1', '2', '3']);
    for (const name of ['h1', 'h2']) ask('honest', name);
    expect(begun).toEqual(['1', '2', '3', 'h1']);
    await endOne();
    expect(begun).toHaveLength(4);
    ask('another', 'a');
    expect(begun.at(-1)).toBe('a');
  });

  test('a target has its share for all who ask', async () => {
    const { begun, ask, end } = fixture();
    for (let n = 0; n < 9; n++) ask(`stranger ${n}`, `path ${n}`, 'host');
    ask('honest', 'other');
    expect(begun).toEqual(['path 0 for stranger 0', 'path 1 for stranger 1', 'other for honest']);
    await end('path 1');
    expect(begun.at(-1)).toBe('path 2 for stranger 2');
  });

  test('what waits for a target does not delay what its caller asks of others', async () => {
    const { begun, ask, end } = fixture();
    for (const key of ['a', 'b']) ask('stranger', key, 'host');
    for (const key of ['x', 'y']) ask('another', key);
    ask('honest', 'c', 'host');
    ask('honest', 'h');
    await end('x');
    expect(begun.at(-1)).toBe('h for honest');
  });

  test('what another caller waits for runs in a slot that is free for who joins', async () => {
    const { semaphore, begun, ask, end } = fixture();
    for (const key of ['a', 'b', 'wanted']) ask('stranger', key);
    semaphore.join('wanted', 'honest');
    expect(begun.at(-1)).toBe('wanted for honest');
    expect(semaphore.isWaiting('wanted')).toBe(false);
    await end('a');
    expect(begun).toHaveLength(3);
  });
});

test('work runs in the name of the caller who asked for it, not of the one whose turn was before', async () => {
  const semaphore = createFairSemaphore({ maxConcurrent: 1, maxWaiting: 9 });
  const ran: (string | null)[] = [];
  const work = async (): Promise<void> => {
    await nextTick();
    ran.push(currentCaller());
  };
  await Promise.all(['a', 'b', 'c'].map(caller => asCaller(caller, () => semaphore.run({ caller }, work))));
  expect(ran).toEqual(['a', 'b', 'c']);
});
