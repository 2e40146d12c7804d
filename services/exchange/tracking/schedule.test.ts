import fc from 'fast-check';
import { runs } from '../../../test/random';
import { JITTER, nextSlot, paceOf, type Slot, type TrackedOrder } from './schedule';

const [SECOND, MINUTE, HOUR, DAY] = [1_000, 60_000, 3_600_000, 86_400_000] as const;
const SINCE = Date.parse('2026-03-01T12:00:00.000Z');

const order = (status: TrackedOrder['status'], more: Partial<TrackedOrder> = {}): TrackedOrder => ({
  orderId: 'o1',
  status,
  since: SINCE,
  expiresAt: SINCE + 36 * HOUR,
  ...more,
});

describe('orders are read', () => {
  it.each([
    ['new', 0, 15 * SECOND, 'fast'],
    ['waiting', 0, 15 * SECOND, 'fast'],
    ['waiting', 9 * MINUTE, 15 * SECOND, 'fast'],
    ['waiting', 10 * MINUTE, MINUTE, 'steady'],
    ['waiting', 35 * HOUR, MINUTE, 'steady'],
    ['waiting', 36 * HOUR, 5 * MINUTE, 'slow'],
    ['waiting', 59 * HOUR, 5 * MINUTE, 'slow'],
    ['waiting', 60 * HOUR, 30 * MINUTE, 'slow'],
    ['waiting', 36 * HOUR + 7 * DAY, null, null],
    ['confirming', 0, 10 * SECOND, 'fast'],
    ['exchanging', 4 * MINUTE, 10 * SECOND, 'fast'],
    ['sending', 5 * MINUTE, 30 * SECOND, 'steady'],
    ['sending', DAY, 10 * MINUTE, 'slow'],
    ['sending', 1_000 * DAY, 10 * MINUTE, 'slow'],
    ['hold', 0, 10 * MINUTE, 'slow'],
    ['hold', 7 * DAY, 6 * HOUR, 'slow'],
    ['overdue', 6 * DAY, 30 * MINUTE, 'slow'],
    ['overdue', 7 * DAY, null, null],
    ['expired', 6 * DAY, 30 * MINUTE, 'slow'],
    ['expired', 7 * DAY, null, null],
    ['failed', 6 * DAY, 6 * HOUR, 'slow'],
    ['failed', 7 * DAY, null, null],
    ['finished', 0, MINUTE, 'steady'],
    ['finished', 2 * MINUTE, 30 * MINUTE, 'slow'],
    ['finished', 2 * DAY, 6 * HOUR, 'slow'],
    ['finished', 7 * DAY, null, null],
    ['refunded', 0, MINUTE, 'steady'],
  ] as const)('%s since %i ms: every %p ms', (status, ageMs, everyMs, pace) => {
    const slot = nextSlot(order(status), SINCE + ageMs);
    expect(slot && { everyMs: slot.everyMs, pace: paceOf(slot) }).toEqual(everyMs && { everyMs, pace });
  });

  it('a minute after they have ended', () => {
    const [slot, later] = walk(order('finished'));
    expect(slot!.at - SINCE).toBeGreaterThanOrEqual(MINUTE);
    expect(slot!.at - SINCE).toBeLessThan(2 * MINUTE);
    expect(later!.everyMs).toBe(30 * MINUTE);
  });

  it('at the end of a fixed rate that lasts minutes', () => {
    const slots = walk(order('waiting', { expiresAt: SINCE + 3 * MINUTE }), 20 * MINUTE);
    expect(slots.find(({ at }) => at >= SINCE + 3 * MINUTE)!.at).toBeLessThanOrEqual(SINCE + 4 * MINUTE);
    expect(slots.filter(({ everyMs }) => everyMs === MINUTE)).toEqual([]);
  });

  it('at other moments than orders of the same moment', () => {
    const first = Array.from(
      { length: 100 },
      (_, n) => nextSlot(order('waiting', { orderId: `o${n}` }), SINCE)!.at,
    );
    expect(new Set(first).size).toBeGreaterThan(90);
  });
});

/** Its slots up to an age. */
function walk(tracked: TrackedOrder, maxAge = Infinity, from = tracked.since): Slot[] {
  const slots: Slot[] = [];
  for (let slot = nextSlot(tracked, from); slot; slot = nextSlot(tracked, slot.at)) {
    if (slot.at > tracked.since + maxAge || slots.length === 500) break;
    slots.push(slot);
  }
  return slots;
}

const anyOrder = fc.record({
  orderId: fc.uuid(),
  status: fc.constantFrom(
    'new',
    'waiting',
    'confirming',
    'exchanging',
    'sending',
    'hold',
    'overdue',
    'expired',
    'failed',
    'finished',
    'refunded',
  ),
  since: fc.constant(SINCE),
  expiresAt: fc.integer({ min: SINCE - HOUR, max: SINCE + 3 * HOUR }),
});

it('every order is read at least once in 1.2 intervals, and no two slots are closer than 0.8', () => {
  fc.assert(
    fc.property(anyOrder, tracked => {
      const slots = walk(tracked);
      const wrong = slots.filter(({ at, everyMs }, n) => {
        const before = slots[n - 1];
        const gap = at - (before?.at ?? tracked.since);
        const shortest = before?.everyMs === everyMs ? (1 - JITTER) * everyMs - 1 : -Infinity;
        return gap < shortest || gap > (1 + JITTER) * everyMs;
      });
      expect(wrong).toEqual([]);
    }),
    runs(60),
  );
});

it('the slots are the same from whatever moment they are computed', () => {
  fc.assert(
    fc.property(anyOrder, fc.nat(3 * HOUR), (tracked, ageMs) => {
      const slots = walk(tracked);
      const from = SINCE + ageMs;
      const expected = slots.filter(({ at }) => at > from).slice(0, 5);
      if (slots.length < 500 || expected.length === 5)
        expect(walk(tracked, Infinity, from).slice(0, expected.length)).toEqual(expected);
    }),
    runs(60),
  );
});
