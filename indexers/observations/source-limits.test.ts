import { TooManyWaiting } from '../../contracts/fair-semaphore';
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
  const all = [1, 2, 3].map(n => limits.run(source, 'observe-partner', { key: String(n) }, read));
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
  const slow = [1, 2, 3].map(n => limits.run(source, 'observe-partner-a', { key: String(n) }, read));
  expect(await limits.run(source, 'observe-partner-b', { key: '1' }, async () => 'read')).toBe('read');
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
      [1, 2, 3, 4, 5].map(n =>
        limits.run(limited, 'observe-metered', { key: String(n) }, async () => void begun++),
      ),
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

describe('callers take turns', () => {
  const one = { name: 'partner', maxConcurrent: 1 };
  const QUEUE = 'observe-partner';

  /** Reads one after the other; each ends when the test says so. */
  function attacked(reads: number) {
    const limits = createSourceLimits();
    const done: string[] = [];
    const ends: (() => void)[] = [];
    const ask = (caller: string, key: string): Promise<void> =>
      limits.run(one, QUEUE, { key, caller }, async () => {
        await new Promise<void>(resolve => void ends.push(resolve));
        done.push(key);
      });
    const refused: string[] = [];
    for (let n = 0; n < reads; n++) ask('stranger', `s${n}`).catch(() => refused.push(`s${n}`));
    const endOne = async (): Promise<void> => {
      await nextTick();
      ends.shift()!();
      await nextTick();
    };
    return { limits, ask, done, refused, endOne };
  }

  test('who asks for one thing waits for one read of somebody who asks for hundreds', async () => {
    const { ask, done, endOne } = attacked(500);
    void ask('honest', 'h');
    for (let n = 0; n < 3; n++) await endOne();
    expect(done).toContain('h');
  });

  test('and so does who asks for what somebody else waits for behind hundreds of others', async () => {
    const { limits, done, endOne } = attacked(500);
    limits.join(QUEUE, { key: 's499', caller: 'honest' });
    for (let n = 0; n < 3; n++) await endOne();
    expect(done).toContain('s499');
    expect(limits.isWaiting(QUEUE, 's499')).toBe(false);
    expect(limits.isWaiting(QUEUE, 's498')).toBe(true);
  });

  test('of too many reads those of the caller with most are refused, the newest first', async () => {
    const { limits, ask, done, refused, endOne } = attacked(1_001);
    void ask('honest', 'h');
    await nextTick();
    expect(refused).toEqual(['s1000']);
    limits.join(QUEUE, { key: 's999', caller: 'another' });
    await expect(ask('stranger', 'last')).rejects.toThrow(TooManyWaiting);
    for (let n = 0; n < 4; n++) await endOne();
    expect(done).toEqual(expect.arrayContaining(['h', 's999']));
  });
});

describe('sites that anybody may have named', () => {
  const web = { name: 'web', maxConcurrent: 8, siteOf: (site: unknown) => String(site) };
  const QUEUE = 'observe-web';

  /** Reads that end when the test says so, or after so long by a clock of the test. */
  function fixture() {
    let now = 1;
    const limits = createSourceLimits(() => now);
    const begun: string[] = [];
    const ends: (() => void)[] = [];
    const ask = (caller: string, site: string, path = ''): void => {
      void limits.run(web, QUEUE, { key: `${site}/${path}`, caller, site }, async () => {
        begun.push(site);
        await new Promise<void>(resolve => void ends.push(resolve));
      });
    };
    const endAllAfter = async (ms: number): Promise<void> => {
      await nextTick();
      now += ms;
      for (const end of ends.splice(0)) end();
      await nextTick();
    };
    return { begun, ask, endAllAfter };
  }

  test('one that does not answer has a quarter of the reads, however many ask for it', async () => {
    const { begun, ask } = fixture();
    for (let n = 0; n < 20; n++) ask(`stranger ${n}`, 'stalling.com', String(n));
    ask('honest', 'honest.com');
    await nextTick();
    expect(begun).toEqual(['stalling.com', 'stalling.com', 'honest.com']);
  });

  test('those that did not answer have a quarter together, however many there are', async () => {
    const { begun, ask, endAllAfter } = fixture();
    for (let n = 0; n < 8; n++) ask(`stranger ${n}`, `stalling ${n}.com`);
    await endAllAfter(5_000);
    begun.length = 0;
    for (let n = 0; n < 8; n++) ask(`stranger ${n}`, `stalling ${n}.com`, 'again');
    ask('honest', 'honest.com');
    await nextTick();
    expect(begun).toEqual(['stalling 0.com', 'stalling 1.com', 'honest.com']);
  });

  test('a read is given up while it waits for its turn', async () => {
    const limits = createSourceLimits();
    const stop = new AbortController();
    const asked = (n: number) => ({ key: String(n), site: 'stalling.com', signal: stop.signal });
    const hanging = () => new Promise<never>(() => undefined);
    for (const n of [1, 2]) void limits.run(web, QUEUE, asked(n), hanging);
    const waiting = limits.run(web, QUEUE, asked(3), hanging);
    stop.abort();
    await expect(waiting).rejects.toMatchObject({ name: 'AbortError' });
    expect(limits.isWaiting(QUEUE, '3')).toBe(false);
  });
});

test('a caller whose reads stall takes its share of those that run: the read of another begins at once', async () => {
  const limits = createSourceLimits();
  const { ends, read } = openReads();
  const shared = { name: 'images', maxConcurrent: 4, hasShares: true } as const;
  const ask = (caller: string, key: string, begin: () => Promise<void>) =>
    limits.run(shared, 'observe-images', { key, caller }, begin);
  const stalled = [1, 2, 3, 4, 5].map(n => ask('stranger', `stalls ${n}`, read));
  await nextTick();
  expect(ends).toHaveLength(1);
  let served = 0;
  const honest = async (): Promise<void> => void (served += 1);
  await Promise.all(['ann', 'bob', 'ann'].map((caller, n) => ask(caller, `image ${n}`, honest)));
  expect(served).toBe(3);

  for (let left = stalled.length; left > 0; left -= 1) {
    ends.forEach(end => end());
    await nextTick();
  }
  await Promise.all(stalled);
});
