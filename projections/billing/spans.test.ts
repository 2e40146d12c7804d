import fc from 'fast-check';
import { dayAfter, periodOf } from '../../contracts/billing-period';
import { daysOf, spanOfDay, spanOfMonth, spansOf } from './spans';

const day = fc
  .date({ min: new Date('2023-12-01'), max: new Date('2026-03-01'), noInvalidDate: true })
  .map(date => date.toISOString().slice(0, 10));

describe('spans', () => {
  it('are the one for all time when nothing is asked', () => {
    expect(spansOf({ from: null, to: null })).toEqual([{ gte: 'a', lte: 'a' }]);
  });

  it('are months where they can be', () => {
    expect(spansOf({ from: '2026-01-30', to: '2026-04-02' })).toEqual([
      { gte: 'd2026-01-30', lte: 'd2026-01-31' },
      { gte: 'm2026-02', lte: 'm2026-03' },
      { gte: 'd2026-04-01', lte: 'd2026-04-02' },
    ]);
    expect(spansOf({ from: '2026-02-01', to: '2026-02-28' })).toEqual([{ gte: 'm2026-02', lte: 'm2026-02' }]);
    expect(spansOf({ from: '2026-01-15', to: '2026-02-14' })).toEqual([
      { gte: 'd2026-01-15', lte: 'd2026-02-14' },
    ]);
  });

  it('end where no fee can be when a side is open', () => {
    expect(spansOf({ from: '2026-02-01', to: null })).toEqual([{ gte: 'm2026-02', lte: 'm2999-12' }]);
    expect(spansOf({ from: null, to: '0001-01-01' })).toEqual([]);
    expect(spansOf({ from: '9999-12-31', to: null })).toEqual([]);
  });

  it('of a period cut by dates are what is in both', () => {
    expect(daysOf({ billingPeriod: '2026-02', dateFrom: '2026-02-10' })).toEqual({
      from: '2026-02-10',
      to: '2026-02-28',
    });
    expect(spansOf(daysOf({ billingPeriod: '2026-02', dateFrom: '2026-03-01' }))).toEqual([]);
  });

  it('hold each day of the range exactly once and no other', () =>
    fc.assert(
      fc.property(day, day, (from, to) => {
        const spans = spansOf({ from, to });
        for (let each = '2023-11-01'; each < '2026-04-01'; each = dayAfter(each)) {
          const names = [spanOfDay(each), spanOfMonth(periodOf(each))];
          const held = spans.filter(({ gte, lte }) => names.some(name => gte <= name && name <= lte));
          expect(held).toHaveLength(from <= each && each <= to ? 1 : 0);
        }
      }),
      { numRuns: 15 },
    ));
});
