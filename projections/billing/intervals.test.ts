import fc from 'fast-check';
import { dayAfter, periodOf } from '../../contracts/time/billing-period';
import { daysOf, dayInterval, monthInterval, intervalsOf } from './intervals';
import { runs } from '../../test/random';

const day = fc
  .date({ min: new Date('2023-12-01'), max: new Date('2026-03-01'), noInvalidDate: true })
  .map(date => date.toISOString().slice(0, 10));

describe('intervals', () => {
  it('are that of all time without a filter', () => {
    expect(intervalsOf({ from: null, to: null })).toEqual([{ gte: 'a', lte: 'a' }]);
  });

  it('are months where possible', () => {
    expect(intervalsOf({ from: '2026-01-30', to: '2026-04-02' })).toEqual([
      { gte: 'd2026-01-30', lte: 'd2026-01-31' },
      { gte: 'm2026-02', lte: 'm2026-03' },
      { gte: 'd2026-04-01', lte: 'd2026-04-02' },
    ]);
    expect(intervalsOf({ from: '2026-02-01', to: '2026-02-28' })).toEqual([
      { gte: 'm2026-02', lte: 'm2026-02' },
    ]);
    expect(intervalsOf({ from: '2026-01-15', to: '2026-02-14' })).toEqual([
      { gte: 'd2026-01-15', lte: 'd2026-02-14' },
    ]);
  });

  it('end at the first and last day of fees when unbounded', () => {
    expect(intervalsOf({ from: '2026-02-01', to: null })).toEqual([{ gte: 'm2026-02', lte: 'm2999-12' }]);
    expect(intervalsOf({ from: null, to: '0001-01-01' })).toEqual([]);
    expect(intervalsOf({ from: '9999-12-31', to: null })).toEqual([]);
  });

  it('of a period and dates are their intersection', () => {
    expect(daysOf({ billingPeriod: '2026-02', dateFrom: '2026-02-10' })).toEqual({
      from: '2026-02-10',
      to: '2026-02-28',
    });
    expect(intervalsOf(daysOf({ billingPeriod: '2026-02', dateFrom: '2026-03-01' }))).toEqual([]);
  });

  it('cover each day of the range exactly once and no other', () =>
    fc.assert(
      fc.property(day, day, (from, to) => {
        const intervals = intervalsOf({ from, to });
        const wrong: string[] = [];
        for (let each = '2023-11-01'; each < '2026-04-01'; each = dayAfter(each)) {
          const names = [dayInterval(each), monthInterval(periodOf(each))];
          const held = intervals.filter(({ gte, lte }) => names.some(name => gte <= name && name <= lte));
          if (held.length !== (from <= each && each <= to ? 1 : 0)) wrong.push(each);
        }
        expect(wrong).toEqual([]);
      }),
      runs(15),
    ));
});
