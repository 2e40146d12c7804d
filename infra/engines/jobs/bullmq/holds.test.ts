import { until } from '../../../../test/until';
import { type Extend, openHolds } from './holds';

const LEASE = 60;

const holding = (extend: Extend) => {
  const holds = openHolds(LEASE, extend);
  return { holds, hold: holds.take('a', 'token') };
};

test('a lease that is extended is kept', async () => {
  const asked: unknown[] = [];
  const { holds, hold } = holding(async (...args) => {
    asked.push(args);
    return [];
  });
  await until(() => asked.length >= 8);
  expect(hold.lost).toBe(false);
  expect(hold.signal.aborted).toBe(false);
  expect(new Set(asked.map(args => JSON.stringify(args)))).toEqual(new Set([`[["a"],["token"],${LEASE}]`]));
  hold.release();
  holds.end();
});

test('a lease that somebody else has is lost', async () => {
  const { holds, hold } = holding(async ids => ids);
  await until(() => hold.lost);
  expect(hold.signal.aborted).toBe(true);
  hold.release();
  holds.end();
});

test.each<[string, Extend]>([
  ['answers', () => new Promise(() => undefined)],
  ['can answer', () => Promise.reject(new Error('away'))],
])('a lease is lost by the clock when nobody %s', async (_, extend) => {
  const { holds, hold } = holding(extend);
  await until(() => hold.lost);
  expect(hold.signal.aborted).toBe(true);
  hold.release();
  holds.end();
});

test('all handlers can be told to end, which loses nothing', () => {
  const { holds, hold } = holding(async () => []);
  holds.abortAll();
  expect(hold.signal.aborted).toBe(true);
  expect(hold.lost).toBe(false);
  hold.release();
  holds.end();
});
