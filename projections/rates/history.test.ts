import { amountOf } from '../../contracts/money/money';
import { closesAfter, MAX_PERIODS, NO_HISTORY, priceAt, withFollowed, withPast, withPrice } from './history';

const HOUR_MS = 3_600_000;
const at = (hour: number, minute = 0): number => hour * HOUR_MS + minute * 60_000;
const historyOf = (...prices: readonly (readonly [instant: number, price: string])[]) =>
  prices.reduce((history, [instant, price]) => withPrice(history, instant, price), NO_HISTORY);

it('has the newest price of each period', () => {
  const history = historyOf([at(1, 10), '1'], [at(1, 50), '2'], [at(2, 5), '3']);
  const hours = [at(1, 0), at(1, 59), at(2, 59)].map(instant => priceAt(history, 'hours', instant));
  expect(hours).toEqual(['2', '2', '3']);
  const quarters = [at(1, 14), at(1, 59), at(2, 0)].map(instant => priceAt(history, 'quarters', instant));
  expect(quarters).toEqual(['1', '2', '3']);
  expect(priceAt(history, 'days', at(0))).toBe('3');
});

it('has for a period without a price that of up to three before', () => {
  const history = historyOf([at(1), '1'], [at(9), '9']);
  expect([1, 4, 5, 8, 9, 12, 13, 0].map(hour => priceAt(history, 'hours', at(hour)))).toEqual([
    ...['1', '1', null, null, '9', '9', null],
    null,
  ]);
});

it('does not change for what is older than it', () => {
  const history = historyOf([at(50), '5'], [at(80), '6']);
  expect(withPrice(history, at(50), '7')).toEqual(history);
});

it('needs only the prices that end a period', () => {
  const followed = (minute: number, next: number) =>
    withFollowed(NO_HISTORY, { price: amountOf('3'), at: at(1, minute) }, at(1, next));
  expect(followed(1, 14)).toBe(NO_HISTORY);
  expect(followed(14, 15)).toEqual({ quarters: expect.objectContaining({ prices: ['3.00'] }) });
  expect(followed(59, 60)).toMatchObject({ quarters: { prices: ['3.00'] }, hours: { prices: ['3.00'] } });
});

it('is bounded, however often and after whatever time a price comes', () => {
  let history = NO_HISTORY;
  for (let hour = 0; hour < 10_000; hour++) history = withPrice(history, at(hour), String(hour));
  expect(history.hours?.prices).toHaveLength(MAX_PERIODS.hours);
  expect(history.quarters?.prices).toHaveLength(MAX_PERIODS.quarters);
  expect(history.days?.prices).toHaveLength(MAX_PERIODS.days);
  expect(priceAt(history, 'hours', at(9_999 - 30 * 24))).toBe(String(9_999 - 30 * 24));
  expect(priceAt(history, 'days', at(9_999 - 365 * 24))).not.toBeNull();
  expect(withPrice(history, at(1_000_000), '1').hours).toEqual({ from: 1_000_000, prices: ['1'] });
});

it('has the last prices of periods at their ends, without those that had none', () => {
  const history = historyOf([at(1), '1'], [at(2, 30), '2'], [at(4), '4']);
  expect(closesAfter(history, 'hours', at(2, 30))).toEqual([
    { at: at(3), price: '2' },
    { at: at(5), price: '4' },
  ]);
  expect(closesAfter(history, 'hours', at(6))).toEqual([]);
  expect(closesAfter(NO_HISTORY, 'days', 0)).toEqual([]);
});

describe('with what was not observed at the time', () => {
  const hoursOf = (from: number, ...prices: (string | null)[]) => ({ from, prices });

  it('has it where it has nothing, and what was observed elsewhere', () => {
    const history = historyOf([at(10), '10'], [at(12), '12']);
    expect(withPast(history, 'hours', hoursOf(8, 'a', null, 'c', 'd', 'e')).hours).toEqual(
      hoursOf(8, 'a', null, '10', 'd', '12'),
    );
    expect(withPast(history, 'hours', hoursOf(13, 'a')).hours).toEqual(hoursOf(10, '10', null, '12', 'a'));
    expect(withPast(NO_HISTORY, 'hours', hoursOf(5, 'a')).hours).toEqual(hoursOf(5, 'a'));
  });

  it('is the same in any order and as often as it comes', () => {
    const past = hoursOf(8, 'a', 'b', 'c', 'd', 'e');
    const before = historyOf([at(10), '10'], [at(12), '12']);
    const once = withPast(before, 'hours', past);
    expect(withPast(once, 'hours', past)).toEqual(once);
    const first = withPast(withPrice(NO_HISTORY, at(10), '10'), 'hours', hoursOf(8, 'a', 'b', 'c'));
    expect(withPrice(first, at(11), '11').hours).toEqual(hoursOf(8, 'a', 'b', '10', '11'));
  });

  it('is bounded, and unchanged by nothing', () => {
    const history = historyOf([at(100_000), '1']);
    const hours = withPast(history, 'hours', hoursOf(0, ...Array<string>(2_000).fill('a'))).hours!;
    expect(hours.prices).toHaveLength(MAX_PERIODS.hours);
    expect(hours.prices.filter(price => price !== null)).toEqual(['1']);
    expect(withPast(history, 'hours', hoursOf(8, null, null))).toBe(history);
  });
});
