import { PRICE_REALMS } from '../../contracts/chain/prices';
import { localTokenFacts } from '../../infra/devnet/market/market';
import { observe } from '../../test/contracts/observation';
import { webOf } from '../../test/doubles/public-web';
import { tokenFactsObservation } from './token-facts';

const LIVE =
  'https://api.coingecko.com/api/v3/coins/the-open-network?localization=false&tickers=false&community_data=false&developer_data=false';
const LOCAL = 'https://market.local.invalid/coins/TON.json';

/** In the form of https://docs.coingecko.com/reference/coins-id, with made-up values: the source cannot be reached from tests. */
const ANSWER = {
  id: 'the-open-network',
  symbol: 'ton',
  name: 'Toncoin',
  description: { en: 'The coin of <a href="https://ton.org">TON</a>.' },
  links: { homepage: ['https://ton.org', '', ''] },
  genesis_date: null,
  market_cap_rank: 20,
  market_data: {
    current_price: { usd: 3.01, eur: 2.6 },
    market_cap: { usd: 7_500_000_000 },
    fully_diluted_valuation: { usd: 15_000_000_000 },
    total_volume: { usd: 120_000_000 },
    circulating_supply: 2_500_000_000.5,
    total_supply: 5_100_000_000,
    max_supply: null,
    price_change_percentage_1h_in_currency: { usd: -0.2 },
    price_change_percentage_24h: 1.25,
    price_change_percentage_7d: -3,
    price_change_percentage_30d: 10.5,
  },
  last_updated: '2026-01-01T00:00:00.000Z',
};

const read = (answers: Readonly<Record<string, string>>, realm: (typeof PRICE_REALMS)[number] = 'live') =>
  observe(tokenFactsObservation, { realm, coin: 'TON' }, { web: webOf(answers) });

it('takes what a source says, without markup', async () => {
  const { data } = await read({ [LIVE]: JSON.stringify(ANSWER) });
  expect(tokenFactsObservation.schema.parse(data)).toEqual(data);
  expect(data).toMatchObject({
    source: 'coingecko',
    symbol: 'TON',
    rank: 20,
    circulatingSupply: 2_500_000_000.5,
    maxSupply: null,
    price: 3.01,
    change1h: -0.2,
    description: 'The coin of TON.',
    homepage: 'https://ton.org',
  });
});

it('takes what a source leaves out for unknown', async () => {
  const { name, symbol, id, last_updated } = ANSWER;
  const { data } = await read({
    [LIVE]: JSON.stringify({ id, name, symbol, last_updated, market_data: {} }),
  });
  expect(data).toMatchObject({ rank: null, price: null, marketCap: null, description: null, homepage: null });
});

it.each([
  ['HTML', '<html></html>'],
  ['another coin', JSON.stringify({ ...ANSWER, id: 'bitcoin' })],
  ['a negative supply', JSON.stringify({ ...ANSWER, market_data: { circulating_supply: -1 } })],
  ['a price that is text', JSON.stringify({ ...ANSWER, market_data: { current_price: { usd: 'NaN' } } })],
])('refuses %s', async (_what, text) => {
  await expect(read({ [LIVE]: text })).rejects.toThrow();
});

it('has the facts of the local market, which say that they are made up', async () => {
  const facts = localTokenFacts('TON', Date.UTC(2026, 0, 1));
  const { data } = await read({ [LOCAL]: JSON.stringify(facts) }, 'local');
  expect(data).toEqual(facts);
  expect(data.source).toBe('local market');
});

it.each(PRICE_REALMS)('has subjects that can be read back: %s', realm => {
  const { format, parse } = tokenFactsObservation.subject;
  expect(parse(format({ realm, coin: 'TON' }))).toEqual({ realm, coin: 'TON' });
  expect(() => parse(`${realm}/DOGE`)).toThrow('not a coin');
});
