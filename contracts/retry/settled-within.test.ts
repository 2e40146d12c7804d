import { setTimeout as sleep } from 'node:timers/promises';
import { settledWithin } from './settled-within';

it('says whether a promise has settled within a time, also when it fails, and ends with the signal', async () => {
  expect(await settledWithin(sleep(5))(10_000)).toBe(true);
  expect(await settledWithin(Promise.reject(new Error('failed')))(10_000)).toBe(true);
  const never = settledWithin(new Promise(() => undefined));
  expect(await never(5)).toBe(false);
  const ending = new AbortController();
  const waiting = never(10_000, ending.signal);
  ending.abort();
  expect(await waiting).toBe(false);
  expect(await never(10_000, ending.signal)).toBe(false);
});

it('leaves nothing at the promise, however often it is waited for', async () => {
  const pending = new Promise(() => undefined);
  const then = jest.spyOn(pending, 'then');
  const isSettled = settledWithin(pending);
  for (let n = 0; n < 20; n++) expect(await isSettled(1)).toBe(false);
  expect(then).toHaveBeenCalledTimes(1);
});
