import { HOUR_MS, MAX_HOURS, NO_HISTORY, priceAt, withPrice } from './history';

const at = (hour: number, minute = 0): number => hour * HOUR_MS + minute * 60_000;
const historyOf = (...prices: readonly (readonly [instant: number, price: string])[]) =>
  prices.reduce((history, [instant, price]) => withPrice(history, instant, price), NO_HISTORY);

it('has the newest price of each hour', () => {
  const history = historyOf([at(1, 10), '1'], [at(1, 50), '2'], [at(2, 5), '3']);
  expect([at(1, 0), at(1, 59), at(2, 59)].map(instant => priceAt(history, instant))).toEqual(['2', '2', '3']);
});

it('has for an hour without a price that of up to three hours before', () => {
  const history = historyOf([at(1), '1'], [at(9), '9']);
  expect([1, 4, 5, 8, 9, 12, 13, 0].map(hour => priceAt(history, at(hour)))).toEqual([
    ...['1', '1', null, null, '9', '9', null],
    null,
  ]);
});

it('does not change for what is older than it', () => {
  const history = historyOf([at(5), '5'], [at(6), '6']);
  expect(withPrice(history, at(5), '7')).toBe(history);
});

it('is bounded to a month, however often and after whatever time a price comes', () => {
  let history = NO_HISTORY;
  for (let hour = 0; hour < 2_000; hour++) history = withPrice(history, at(hour), String(hour));
  expect(history.prices).toHaveLength(MAX_HOURS);
  expect(priceAt(history, at(1_999 - 30 * 24))).toBe(String(1_999 - 30 * 24));
  expect(withPrice(history, at(1_000_000), '1')).toEqual({ from: 1_000_000, prices: ['1'] });
});
