import { relayFault } from './status';

const NOW = Date.parse('2026-11-23T12:00:00.000Z');
const status = { relay: 'r', balance: 5n, isLow: false, live: null };
const since = (seconds: number) => ({
  requests: 1,
  since: new Date(NOW - seconds * 1_000).toISOString(),
});

it('a relayer has a fault when it is low, or when its message is in no block for minutes', () => {
  expect(relayFault(status, NOW)).toBeNull();
  expect(relayFault({ ...status, live: since(299) }, NOW)).toBeNull();
  expect(relayFault({ ...status, live: since(301) }, NOW)).toContain('in no block since 2026-11-23T11:54');
  expect(relayFault({ ...status, isLow: true }, NOW)).toContain('minimum');
});
