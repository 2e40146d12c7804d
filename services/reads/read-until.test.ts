import { setMaxListeners } from 'node:events';
import { until } from '../../test/until';
import { createWaitLimit, readUntil } from './read-until';

/** A value that is done after a number of changes, and a clock that moves only by waiting. */
function fixture(values: readonly number[]) {
  let now = 0;
  let changes = 0;
  const waits: number[] = [];
  return {
    waits,
    options: {
      read: async () => values[Math.min(changes, values.length - 1)]!,
      now: () => now,
      waitForChange: async (timeoutMs: number) => {
        waits.push(timeoutMs);
        changes++;
        now += timeoutMs;
      },
      waitMs: 1_200,
    },
  };
}

test('a value that is done is returned without a wait or a request', async () => {
  const { options, waits } = fixture([7]);
  const request = jest.fn(async () => undefined);
  expect(await readUntil({ ...options, isDone: value => value === 7, request })).toBe(7);
  expect(waits).toEqual([]);
  expect(request).not.toHaveBeenCalled();
});

test('without a request it waits for changes until the deadline', async () => {
  const { options, waits } = fixture([1, 2]);
  expect(await readUntil({ ...options, isDone: value => value === 2 })).toBe(2);
  expect(waits).toEqual([1_200]);
});

test('a request is repeated until the wait ends, and then the last value is returned', async () => {
  const { options, waits } = fixture([1]);
  const request = jest.fn(async () => undefined);
  expect(await readUntil({ ...options, isDone: () => false, request })).toBe(1);
  expect(waits).toEqual([500, 500, 200]);
  expect(request).toHaveBeenCalledTimes(3);
});

test('a subscription that fails is an early read', async () => {
  const { options } = fixture([1]);
  let reads = 0;
  const read = async () => ++reads;
  const changed = () => Promise.reject(new Error('redis connection lost'));
  expect(await readUntil({ ...options, read, waitForChange: changed, isDone: value => value === 5 })).toBe(5);
});

test('the signal ends the wait', async () => {
  const { options, waits } = fixture([1]);
  expect(await readUntil({ ...options, isDone: () => false, signal: AbortSignal.abort() })).toBe(1);
  expect(waits).toEqual([]);
});

test('beyond the limit a read requests what is missing, and does not wait', async () => {
  const waitLimit = createWaitLimit(2);
  let change = (): void => undefined;
  const changed = new Promise<void>(resolve => (change = resolve));
  let value = 1;
  const request = jest.fn(async () => undefined);
  const read = (caller: string) =>
    readUntil({
      caller,
      read: async () => value,
      isDone: each => each === 2,
      waitForChange: () => changed,
      waitLimit,
      request,
    });
  const waiting = [read('ann'), read('bob')];
  expect(await read('cy')).toBe(1);
  expect(request).toHaveBeenCalled();
  value = 2;
  change();
  expect(await Promise.all(waiting)).toEqual([2, 2]);
  value = 1;
  expect(waitLimit.begin('dan')).not.toBeNull();
});

test('a read that fails while it waits no longer counts', async () => {
  const waitLimit = createWaitLimit(1);
  const options = fixture([1]).options;
  let reads = 0;
  const read = async () => {
    if (++reads > 1) throw new Error('disk I/O error');
    return 1;
  };
  await expect(readUntil({ ...options, read, isDone: () => false, waitLimit })).rejects.toThrow('disk I/O');
  expect(waitLimit.begin('dan')).not.toBeNull();
});

test('one caller may have a quarter of the waits, so that there is room for others', () => {
  const waitLimit = createWaitLimit(8);
  const [first, second] = [waitLimit.begin('stranger'), waitLimit.begin('stranger')];
  expect([first, second]).not.toContain(null);
  expect(waitLimit.begin('stranger')).toBeNull();
  expect(waitLimit.begin('home')).not.toBeNull();
  first!.end();
  expect(waitLimit.begin('stranger')).not.toBeNull();
  expect(waitLimit.begin('stranger')).toBeNull();
});

/** Reads of a list that is not known until it is fetched, which ends all waits. */
function unknownList(max: number) {
  const waitLimit = createWaitLimit(max);
  const fetched = new AbortController();
  setMaxListeners(0, fetched.signal);
  const state = { waiting: 0, isKnown: false };
  const read = (caller?: string, subject?: string) =>
    readUntil({
      caller,
      subject,
      waitLimit,
      waitMs: 600_000,
      read: async () => (state.isKnown ? 'list' : null),
      isDone: value => value !== null,
      waitForChange: (_, signal) =>
        new Promise(resolve => {
          state.waiting += 1;
          const end = (): void => {
            state.waiting -= 1;
            resolve();
          };
          for (const each of [signal, fetched.signal]) each.addEventListener('abort', end, { once: true });
        }),
    });
  const fetch = (): void => {
    state.isKnown = true;
    fetched.abort();
  };
  return { state, read, fetch };
}

describe('attack: reads that wait for data that is not known yet', () => {
  it('a caller waits in a quarter of the places, whatever it asks for, and an honest read is served', async () => {
    const { state, read, fetch } = unknownList(8);
    const attack = Array.from({ length: 30 }, () => read('attacker'));
    await until(() => state.waiting === 2);
    const honest = read('honest');
    await until(() => state.waiting === 3);
    fetch();
    expect(await honest).toBe('list');
    expect((await Promise.all(attack)).filter(answer => answer === 'list')).toHaveLength(2);
  });

  it('once all places are taken, an honest read gets that of the newest of who has most, which is answered', async () => {
    const { state, read, fetch } = unknownList(8);
    const attack = ['a', 'b', 'c', 'd'].flatMap(caller => [read(caller), read(caller)]);
    await until(() => state.waiting === 8);
    const honest = read('honest');
    expect(await Promise.race(attack)).toBeNull();
    fetch();
    expect(await honest).toBe('list');
    expect((await Promise.all(attack)).filter(answer => answer === null)).toHaveLength(1);
  });

  it('reads without a caller have the share of one together', async () => {
    const { state, read, fetch } = unknownList(64);
    const attack = Array.from({ length: 60 }, (_, n) => read(undefined, `subject ${n % 6}`));
    await until(() => state.waiting === 16);
    const honest = read('honest');
    await until(() => state.waiting === 17);
    fetch();
    expect(await honest).toBe('list');
    await Promise.all(attack);
  });

  it('something that never becomes known does not keep others from waiting for something else', async () => {
    const { state, read, fetch } = unknownList(64);
    const attack = ['vault', 'elections', 'status', 'currencies'].flatMap(subject =>
      Array.from({ length: 30 }, () => read(undefined, subject)),
    );
    await until(() => state.waiting === 16);
    const honest = read(undefined, 'config');
    expect(await Promise.race(attack.slice(0, 4))).toBeNull();
    fetch();
    expect(await honest).toBe('list');
    expect((await Promise.all(attack)).filter(answer => answer === 'list')).toHaveLength(15);
  });

  it('who waits for one subject has a few places, and another subject those that are left', async () => {
    const { state, read, fetch } = unknownList(64);
    const attack = Array.from({ length: 30 }, () => read(undefined, 'vault'));
    await until(() => state.waiting === 4);
    const honest = Array.from({ length: 4 }, () => read(undefined, 'config'));
    await until(() => state.waiting === 8);
    fetch();
    expect(await Promise.all(honest)).toEqual(Array(4).fill('list'));
    await Promise.all(attack);
  });
});
