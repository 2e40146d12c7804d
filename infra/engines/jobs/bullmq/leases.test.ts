import { until } from '../../../../test/until';
import { createLeases, type Extend } from './leases';

const LEASE_MS = 60;

const acquire = (extend: Extend) => {
  const leases = createLeases(LEASE_MS, extend);
  return { leases, lease: leases.acquire('a', 'token') };
};

test('a lease that is extended is kept', async () => {
  const calls: unknown[] = [];
  const { leases, lease } = acquire(async (...args) => {
    calls.push(args);
    return [];
  });
  await until(() => calls.length >= 8);
  expect(lease.lost).toBe(false);
  expect(lease.signal.aborted).toBe(false);
  expect(new Set(calls.map(args => JSON.stringify(args)))).toEqual(
    new Set([`[["a"],["token"],${LEASE_MS}]`]),
  );
  lease.release();
  leases.close();
});

test('a lease that another worker has is lost', async () => {
  const { leases, lease } = acquire(async ids => ids);
  await until(() => lease.lost);
  expect(lease.signal.aborted).toBe(true);
  lease.release();
  leases.close();
});

test.each<[string, Extend]>([
  ['does not answer', () => new Promise(() => undefined)],
  ['fails', () => Promise.reject(new Error('connection lost'))],
])('a lease is lost by the clock when its extension %s', async (_, extend) => {
  const { leases, lease } = acquire(extend);
  await until(() => lease.lost);
  expect(lease.signal.aborted).toBe(true);
  lease.release();
  leases.close();
});

test('abortAll aborts all signals and loses no lease', () => {
  const { leases, lease } = acquire(async () => []);
  leases.abortAll();
  expect(lease.signal.aborted).toBe(true);
  expect(lease.lost).toBe(false);
  lease.release();
  leases.close();
});
