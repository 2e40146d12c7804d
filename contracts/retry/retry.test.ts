import { setTimeout } from 'node:timers/promises';
import { EngineAccessDenied } from '../engine/engine-access-denied';
import { retryForever, sleep } from './retry';

jest.mock('node:timers/promises', () => ({ setTimeout: jest.fn(async () => undefined) }));

let stopping: AbortController;
let now = 0;
beforeEach(() => {
  stopping = new AbortController();
  now = 0;
  jest.spyOn(performance, 'now').mockImplementation(() => now);
  jest.mocked(setTimeout).mockClear();
});
afterEach(() => jest.mocked(performance.now).mockRestore());

/** The waits, in milliseconds, of work that runs so many times. */
async function waits(
  times: number,
  work: (nth: number, onProgress: () => void) => void,
): Promise<(number | undefined)[]> {
  let nth = 0;
  await retryForever(
    async onProgress => {
      if (++nth === times) stopping.abort();
      work(nth, onProgress);
    },
    { signal: stopping.signal, onError: () => undefined, maxDelayMs: 400 },
  );
  expect(nth).toBe(times);
  return jest.mocked(setTimeout).mock.calls.map(([milliseconds]) => milliseconds);
}

const fail = (): never => {
  throw new Error('failed');
};

it('doubles the wait after each failure, up to the limit', async () => {
  expect(await waits(6, fail)).toEqual([100, 200, 400, 400, 400]);
});

it('starts again with the shortest wait after it made progress for as long as it had waited', async () => {
  const work = (nth: number, onProgress: () => void) => {
    now += nth === 3 ? 200 : 199;
    if (nth >= 3) onProgress();
    fail();
  };
  expect(await waits(6, work)).toEqual([100, 200, 100, 100, 100]);
});

it('waits longer and longer when it fails soon after each progress', async () => {
  const work = (_: number, onProgress: () => void) => {
    now += 50;
    onProgress();
    fail();
  };
  expect(await waits(6, work)).toEqual([100, 200, 400, 400, 400]);
});

it('waits longer and longer when it fails without progress, however late', async () => {
  const work = () => {
    now += 60_000;
    fail();
  };
  expect(await waits(5, work)).toEqual([100, 200, 400, 400]);
});

it('immediately repeats work that has returned', async () => {
  expect(await waits(3, () => undefined)).toEqual([]);
});

it('ends with what onError throws', async () => {
  const retrying = retryForever(() => Promise.reject(new Error('wrong chain')), {
    signal: stopping.signal,
    onError: error => {
      throw error;
    },
  });
  await expect(retrying).rejects.toThrow('wrong chain');
});

it('ends when an engine denies access', async () => {
  const onError = jest.fn();
  const denied = new EngineAccessDenied('event store', 'it rejects the credentials');
  const retrying = retryForever(() => Promise.reject(denied), { signal: stopping.signal, onError });
  await expect(retrying).rejects.toBe(denied);
  expect(onError).not.toHaveBeenCalled();
});

it('drops an error of the work after the signal', async () => {
  const onError = jest.fn();
  await retryForever(
    async () => {
      stopping.abort();
      fail();
    },
    { signal: stopping.signal, onError },
  );
  expect(onError).not.toHaveBeenCalled();
});

it('ends a sleep at the signal', async () => {
  const actual = jest.requireActual<{ setTimeout: typeof setTimeout }>('node:timers/promises');
  jest.mocked(setTimeout).mockImplementationOnce(actual.setTimeout);
  stopping.abort();
  await sleep(600_000, stopping.signal);
});
