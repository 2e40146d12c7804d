import { decimalsOfCurrency, smallestUnits, wholeUnits } from './units';

it.each([
  ['22500000000', 9, '22.5'],
  ['1', 9, '0.000000001'],
  ['0', 9, '0'],
  ['-1200', 2, '-12'],
  ['-5', 2, '-0.05'],
  ['1234', 0, '1234'],
  ['123456789012345678901234567890', 9, '123456789012345678901.23456789'],
])('%s units of %d decimals are %s', (units, decimals, whole) => {
  expect(wholeUnits(units, decimals)).toBe(whole);
});

it.each([
  ['12.5', 2, '1250'],
  ['0.05', 2, '5'],
  ['7', 9, '7000000000'],
  ['7.', 2, '700'],
  ['500', 0, '500'],
])('%s of %d decimals is %s units', (amount, decimals, units) => {
  expect(smallestUnits(amount, decimals)).toBe(units);
});

it.each(['', 'much', '-1', '1e3', '1,5', '0.001'])('%p is left for the program to refuse', amount => {
  expect(smallestUnits(amount, 2)).toBe(amount);
});

it('knows how many decimals a currency has', () => {
  expect(['USD', 'JPY', 'KWD', 'no currency'].map(decimalsOfCurrency)).toEqual([2, 0, 3, 2]);
});
