import { extraCurrenciesOf } from './extra-currencies';
import { knownCurrencies } from './known-currencies';

const at = '2026-11-20T12:00:00.000Z';
const observed = {
  height: 7,
  at,
  data: { lt: '7', amounts: { '239': '1000000000000000000000', '100': '5' } },
};

it('has known currencies with their decimals, and others in smallest units', () => {
  const known = { '239': { symbol: 'FMS', decimals: 5 } };
  expect(extraCurrenciesOf(observed, known)).toEqual([
    { amount: '5', at, preview: { id: 100, symbol: '#100', decimals: 0 } },
    { amount: '1000000000000000000000', at, preview: { id: 239, symbol: 'FMS', decimals: 5 } },
  ]);
});

it('knows currencies by network and id', () => {
  const given = { mainnet: { '239': { symbol: 'FMS', decimals: 5, image: 'https://a.example/fms.png' } } };
  expect(knownCurrencies.parse(given)).toEqual(given);
});

it.each([
  [{ sandbox: {} }],
  [{ mainnet: { fms: { symbol: 'FMS', decimals: 5 } } }],
  [{ mainnet: { '239': { symbol: 'FMS' } } }],
  [{ mainnet: { '239': { symbol: 'FMS', decimals: 5, image: 'http://a.example/x' } } }],
])('refuses %j', given => expect(knownCurrencies.safeParse(given).success).toBe(false));
