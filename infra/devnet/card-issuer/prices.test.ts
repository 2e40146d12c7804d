import { rateOf } from './prices';

const TON = { ticker: 'TON', decimals: 9 };

it.each([
  ['EUR', '100000000000', '30000'],
  ['JPY', '100000000000', '300'],
  ['KWD', '100000000000', '300000'],
])('a TON is three %s, in its smallest units', (fiatCurrency, units, per) => {
  expect(rateOf(TON, fiatCurrency)).toEqual({ units, per });
});

it('an account in the currency of the card pays 1 to 1', () => {
  expect(rateOf({ ticker: 'JPY', decimals: 0 }, 'JPY')).toEqual({ units: '1', per: '1' });
});
