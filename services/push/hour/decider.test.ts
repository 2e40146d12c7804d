import { pushHourOf, pushHourStream, type PushHourEvent } from '../../../contracts/events/push-hour';
import { countBeyondCap, isWithinCap, MAX_COUNTED, MAX_PER_HOUR, pushHourKind } from './decider';

const { initial, evolve, decide } = pushHourKind.decider;
const hour = pushHourOf('d1', 'wallet_request', '2026-03-01T12:59:59.999Z');
const metadata = { now: '2026-03-01T13:00:00.000Z', actor: 'push' };
const ids = (from: number, to: number): string[] =>
  Array.from({ length: to - from }, (_, n) => `n${from + n}`);

function after(...calls: readonly string[][]) {
  return calls.reduce((state, notificationIds) => {
    const decided = decide(state, { hour, notificationIds, metadata }) as readonly PushHourEvent[];
    return decided.reduce(evolve, state);
  }, initial());
}

it('an instant belongs to its hour in UTC', () => {
  expect(pushHourStream(hour)).toBe('pushHour-d1/wallet_request/2026-03-01T12:00:00.000Z');
  expect(pushHourOf('d1', 'wallet_request', metadata.now).hour).toBe(metadata.now);
});

it('the first ten have places, whatever comes later and however often each is counted', () => {
  const counted = after(ids(0, 8), ids(4, 12), ids(0, 20));
  expect(ids(0, 25).filter(id => isWithinCap(counted, id))).toEqual(ids(0, MAX_PER_HOUR));
  expect(countBeyondCap(counted)).toBe(20 - MAX_PER_HOUR);
  expect(decide(counted, { hour, notificationIds: ids(0, 20), metadata })).toEqual([]);
});

it('an hour has a bounded number of them, also on disk', () => {
  const counted = after(ids(0, 700), ids(700, 1_400));
  expect(counted.size).toBe(MAX_COUNTED);
  expect(decide(counted, { hour, notificationIds: ['more'], metadata })).toEqual([]);
  expect(isWithinCap(counted, 'more')).toBe(false);
});
