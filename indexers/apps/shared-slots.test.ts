import { TooManyWaiting } from '../../contracts/fair-semaphore';
import { createSharedSlots } from './shared-slots';

/** Slots whose tasks end when a test says so, and what has run. */
function fixture(max = 8, maxWaiting = 40) {
  const slots = createSharedSlots(max, maxWaiting);
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  const ask = (key: string, caller: string, host = key): Promise<string> =>
    slots.run(key, { caller, host }, async by => {
      started.push(`${key} for ${by}`);
      await new Promise<void>(resolve => ends.set(key, resolve));
      return `read of ${key}`;
    });
  const end = async (key: string): Promise<void> => {
    ends.get(key)!();
    await new Promise(resolve => setImmediate(resolve));
  };
  const askMany = (count: number, caller: string): Promise<string>[] =>
    Array.from({ length: count }, (_, n) => {
      const asked = ask(`${caller}${n}`, caller);
      asked.catch(() => undefined);
      return asked;
    });
  return { ask, askMany, end, started };
}

it('a caller has a quarter of the slots, and others have theirs at once', () => {
  const { askMany, started } = fixture();
  void askMany(9, 'a');
  void askMany(1, 'b');
  expect(started).toEqual(['a0 for a', 'a1 for a', 'b0 for b']);
});

it('a host has a quarter of the slots for all who ask', () => {
  const { ask, started } = fixture();
  for (let n = 0; n < 9; n++) void ask(`path ${n}`, `caller ${n}`, 'host');
  void ask('other', 'honest');
  expect(started).toEqual(['path 0 for caller 0', 'path 1 for caller 1', 'other for honest']);
});

it('a slot goes to who has had none for the longest, not to who waits with most', async () => {
  const { askMany, end, started } = fixture(4);
  for (const caller of ['a', 'b', 'c', 'd']) void askMany(5, caller);
  void askMany(1, 'e');
  await end('a0');
  expect(started.at(-1)).toBe('e0 for e');
  await end('b0');
  expect(started.at(-1)).toBe('a1 for a');
});

it('what two callers ask for is read once, in the slot that is free first', async () => {
  const { ask, askMany, end, started } = fixture();
  void askMany(5, 'stranger');
  const [asked, again] = [ask('app', 'stranger'), ask('app', 'honest')];
  expect(started.at(-1)).toBe('app for honest');
  const third = ask('app', 'late');
  await end('app');
  expect(await Promise.all([asked, again, third])).toEqual(Array(3).fill('read of app'));
  expect(started.filter(each => each.startsWith('app'))).toHaveLength(1);
});

it('a caller has a quarter of what may wait', async () => {
  const { askMany } = fixture(4, 40);
  const asked = askMany(12, 'a');
  await expect(asked[11]).rejects.toThrow(TooManyWaiting);
});

it('who has most that waits loses its last once nothing else may wait', async () => {
  const { askMany, started, end } = fixture(4, 8);
  void askMany(1, 'w');
  const heavy = askMany(3, 'a');
  for (const caller of ['b', 'c']) void askMany(3, caller);
  for (const caller of ['d', 'e']) void askMany(1, caller);
  void askMany(1, 'honest');
  await expect(heavy[2]).rejects.toThrow('others have fewer');
  await end('w0');
  await end('a0');
  await end('b0');
  await end('c0');
  expect(started).toContain('honest0 for honest');
});

it('a task that fails frees its slot', async () => {
  const slots = createSharedSlots(1, 4);
  const fail = slots.run('a', { caller: 'a', host: 'a' }, () => Promise.reject(new Error('broken')));
  const next = slots.run('b', { caller: 'b', host: 'b' }, async () => 'read');
  await expect(fail).rejects.toThrow('broken');
  expect(await next).toBe('read');
});
