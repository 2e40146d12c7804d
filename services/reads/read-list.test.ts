import { createWaitLimit } from './read-until';
import { listReader } from './read-list';

const NOT_READY = { status: 503, code: 'not_ready', headers: { 'Retry-After': '2' } };
const call = (): AbortController => new AbortController();

/** A list of so many, which grows by one at each wait for a change. */
function growing(count = 0) {
  const list = { count, waits: 0 };
  return Object.assign(list, {
    read: async () => list.count,
    waitForChange: async () => {
      list.waits++;
      list.count++;
    },
  });
}
const never = { read: async () => 0, waitForChange: () => new Promise<void>(() => undefined) };
/** Until the time-out or the signal, as `Views` does. */
const waitForChange = (timeoutMs: number, signal?: AbortSignal): Promise<void> =>
  new Promise(resolve => {
    const timer = setTimeout(resolve, timeoutMs);
    signal?.addEventListener('abort', () => resolve(clearTimeout(timer)));
  });

it('is read until it is whole', async () => {
  const list = growing();
  const readList = listReader({}, call());
  expect(await readList('The list', { ...list, read: list.read, isWhole: count => count === 3 })).toBe(3);
  expect(await readList('The list', { ...list, read: list.read, isWhole: count => count === 3 })).toBe(3);
  expect(list.waits).toBe(3);
});

it('is a 503 with what it is about when the wait ends before', async () => {
  const reading = listReader({ listWaitMs: 1 }, call())('The list', {
    ...never,
    waitForChange,
    isWhole: () => false,
  });
  await expect(reading).rejects.toMatchObject({ ...NOT_READY, detail: expect.stringMatching(/^The list/) });
});

it('is served whole when what it can do without is not there', async () => {
  const part = { ...never, waitForChange, isWhole: () => true, isSettled: () => false, settleMs: 1 };
  expect(await listReader({}, call())('The list', part)).toBe(0);
});

it('is waited for longer than what it can do without', async () => {
  let isWhole = false;
  const reading = listReader({}, call())('The list', {
    read: async () => isWhole,
    isWhole: whole => whole,
    isSettled: () => false,
    settleMs: 1,
    async waitForChange(timeoutMs) {
      isWhole = timeoutMs > 1_000;
      await new Promise(resolve => setTimeout(resolve, 2));
    },
  });
  expect(await reading).toBe(true);
});

it('has one deadline for all parts of a call', async () => {
  const readList = listReader({ listWaitMs: 30 }, call());
  const part = { ...never, waitForChange, isWhole: () => false };
  await expect(readList('The list', part)).rejects.toMatchObject(NOT_READY);
  const longer = jest.fn(waitForChange);
  await expect(readList('The list', { ...part, waitForChange: longer })).rejects.toMatchObject(NOT_READY);
  expect(longer).not.toHaveBeenCalled();
});

it('is waited for by so many calls only, and by none that has ended', async () => {
  const waitLimit = createWaitLimit(1);
  const [first, second, third] = [call(), call(), call()];
  const part = { ...never, waitForChange, isWhole: () => false };
  const waiting = listReader({ waitLimit }, first)('The list', part);
  await Promise.resolve();
  await expect(listReader({ waitLimit }, second)('The list', part)).rejects.toMatchObject(NOT_READY);
  first.abort();
  await expect(waiting).rejects.toMatchObject(NOT_READY);
  third.abort();
  await expect(listReader({ waitLimit }, third)('The list', part)).rejects.toMatchObject(NOT_READY);
  expect(waitLimit.begin('another')).not.toBeNull();
});

it('is waited for by one address in a quarter of the places, and by another all the same', async () => {
  const waitLimit = createWaitLimit(8);
  const part = { ...never, waitForChange, isWhole: () => false };
  const from = (ip: string) => Object.assign(call(), { ip });
  const callers = ['192.0.2.1', '192.0.2.1', '192.0.2.1', '198.51.100.1'].map(from);
  const ended = new Set<number>();
  const reads = callers.map((each, n) =>
    listReader({ waitLimit }, each)('The list', part).catch(() => void ended.add(n)),
  );
  await reads[2];
  expect([...ended]).toEqual([2]);
  for (const each of callers) each.abort();
  await Promise.all(reads);
});
