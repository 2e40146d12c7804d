import fc from 'fast-check';
import {
  dayAfter,
  daysOf,
  dayBefore,
  firstDayOf,
  isBillingPeriod,
  isDay,
  lastDayOf,
  periodOf,
} from './billing-period';
import { runs } from '../../test/random';

describe('a day', () => {
  it.each(['2026-01-01', '2026-12-31', '2024-02-29', '2000-02-29', '0001-01-01', '9999-12-31'])(
    '%s exists',
    text => expect(isDay(text)).toBe(true),
  );

  it.each([
    '2026-02-30',
    '2026-02-29',
    '1900-02-29',
    '2026-04-31',
    '2026-13-01',
    '2026-00-10',
    '2026-1-1',
    '2026-01-01T00:00:00Z',
    '2026-01-01\n',
    '',
  ])('%j does not', text => expect(isDay(text)).toBe(false));

  it('has a previous and a next day', () => {
    expect(dayAfter('2026-02-28')).toBe('2026-03-01');
    expect(dayAfter('2026-12-31')).toBe('2027-01-01');
    expect(dayBefore('2024-03-01')).toBe('2024-02-29');
  });

  it('is one of a range, also of one that ends with the last day there is', () => {
    expect([...daysOf('2026-02-27', '2026-03-01')]).toEqual(['2026-02-27', '2026-02-28', '2026-03-01']);
    expect([...daysOf('2026-03-02', '2026-03-01')]).toEqual([]);
    expect(take(4, daysOf('9999-12-30', '9999-12-31'))).toEqual(['9999-12-30', '9999-12-31']);
  });
});

describe('a billing period', () => {
  it.each(['2026-00', '2026-13', '2026-1', '2026', '2026-01-01', '26-01'])('%j is none', text =>
    expect(isBillingPeriod(text)).toBe(false),
  );

  it('begins with its first day and ends with its last', () =>
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9998 }), fc.integer({ min: 1, max: 12 }), (year, month) => {
        const period = `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}`;
        expect(isBillingPeriod(period)).toBe(true);
        expect(periodOf(firstDayOf(period))).toBe(period);
        expect(periodOf(lastDayOf(period))).toBe(period);
        expect(periodOf(dayAfter(lastDayOf(period)))).not.toBe(period);
        expect(periodOf(dayBefore(firstDayOf(period)))).not.toBe(period);
      }),
      runs(100),
    ));
});

function take<Value>(count: number, values: Iterable<Value>): Value[] {
  const taken: Value[] = [];
  for (const value of values) if (taken.push(value) === count) break;
  return taken;
}
