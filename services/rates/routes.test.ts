import request from 'supertest';
import type { Jetton } from '../../contracts/chain/pool-prices';
import { assetKey, coinAsset, currencyAsset, type PricedAsset } from '../../contracts/chain/prices';
import type { TokenFacts, TokenFactsSubject } from '../../contracts/chain/token-facts';
import type { RatesResponse } from '../../contracts/http/rates';
import type { ObservedReader } from '../../contracts/observation/reader';
import type { Document } from '../../contracts/ports/documents';
import { NO_LIMITS, type RateLimits } from '../../contracts/ports/rate-limits';
import { createMemoryLimits } from '../../infra/engines/rate-limits/memory';
import type { PriceDocument } from '../../projections/rates/prices';
import { createTestApp } from '../../test/app';
import { ratesRoutes } from './routes';

const NOW = Date.UTC(2026, 0, 31, 12, 0, 30);
const READ = '2026-01-31T12:00:00.000Z';
const HOUR_MS = 3_600_000;
const HOUR = Math.floor(NOW / HOUR_MS);
const MASTER = `0:${'ab'.repeat(32)}`;
const jetton: PricedAsset = { type: 'jetton', network: 'mainnet', master: MASTER };

/** With prices of so many hours ago. */
function priced(
  asset: PricedAsset,
  price: string,
  ago: Readonly<Record<number, string>> = {},
): PriceDocument {
  const prices = Array.from({ length: 721 }, (_, n) => ago[720 - n] ?? (n === 720 ? price : null));
  return {
    _id: assetKey('local', asset),
    price,
    at: READ,
    isFrozen: false,
    used: [{ source: 'local-a', price, at: READ }],
    dropped: [],
    history: { hours: { from: HOUR - 720, prices } },
  };
}

const documents = [
  priced(coinAsset('TON'), '3.03', { 24: '3', 168: '4', 720: '3.03' }),
  priced(coinAsset('SOL'), '150.5'),
  priced(coinAsset('XAUT'), '4000'),
  priced(currencyAsset('EUR'), '0.5', { 24: '1' }),
  priced(jetton, '0.25'),
];

const facts: TokenFacts = {
  source: 'coingecko',
  name: 'Toncoin',
  symbol: 'TON',
  slug: 'the-open-network',
  rank: 20,
  circulatingSupply: 2_500_000_000,
  totalSupply: 5_000_000_000,
  maxSupply: null,
  price: 3.2,
  marketCap: 8_000_000_000,
  fullyDilutedMarketCap: null,
  volume24h: 1_000,
  change1h: 0.5,
  change24h: -1,
  change7d: null,
  change30d: 2,
  since: null,
  at: READ,
  description: 'The coin of TON.',
  homepage: 'https://ton.org',
};

/** What was asked for since the test has begun. */
const demanded: Jetton[] = [];
beforeEach(() => void demanded.splice(0));

/** How many times each price is read. */
const reads = new Map<string, number>();
beforeEach(() => reads.clear());

function server(found: readonly PriceDocument[], now = NOW, limits?: RateLimits) {
  const bindings = ratesRoutes({
    views: {
      cached: (_query, compute) => compute(),
      getMany: async <D extends Document>(_collection: string, ids: readonly string[]) => {
        for (const id of ids) reads.set(id, (reads.get(id) ?? 0) + 1);
        return new Map(
          found.filter(({ _id }) => ids.includes(_id)).map(each => [each._id, each as never as D]),
        );
      },
      waitForChange: async () => undefined,
    },
    realm: 'local',
    limits: async () => limits ?? NO_LIMITS,
    facts: {
      read: async ({ coin }: TokenFactsSubject) => {
        reads.set(`facts of ${coin}`, (reads.get(`facts of ${coin}`) ?? 0) + 1);
        return { height: null, at: READ, data: facts };
      },
    } as unknown as ObservedReader<TokenFactsSubject, TokenFacts>,
    clock: () => new Date(now),
    demand: async jettons => void demanded.push(...jettons),
    waitMs: 1,
  });
  return request(createTestApp(bindings, { trustedProxies: 1 }));
}

/** Spellings of a hexadecimal text, which differ in their case. */
const spellings = (text: string, count: number): string[] =>
  Array.from({ length: count }, (_, n) =>
    text.replace(/[a-z]/g, (letter, at: number) => ((n >> (at % 7)) & 1 ? letter.toUpperCase() : letter)),
  );

describe('a call for many tokens', () => {
  const post = (path: string, body: object, to = server(documents)) => to.post(path).send(body);

  it('reads and computes each once, under however many names it is asked for', async () => {
    const found = priced(jetton, '0.25');
    const history = jest.fn(() => found.history);
    const seen = Object.defineProperty({ ...found }, 'history', { get: history });
    const ask = async (tokens: readonly string[]) => {
      reads.clear();
      history.mockClear();
      const sent = { tokens, currencies: ['eur'] };
      const { body } = await post('/v2/rates', sent, server([...documents.slice(0, -1), seen])).expect(200);
      return {
        rates: (body as RatesResponse).rates,
        computed: history.mock.calls.length,
        read: reads.get(assetKey('local', jetton)),
      };
    };
    const one = await ask([MASTER]);
    const many = await ask([...spellings(MASTER, 90), 'ton', 'TON', 'gram']);
    expect(Object.keys(many.rates)).toHaveLength(new Set(spellings(MASTER, 90)).size + 2);
    expect(Object.keys(many.rates).length).toBeGreaterThan(60);
    expect(many.rates[MASTER]).toEqual(one.rates[MASTER]);
    expect([many.computed, many.read]).toEqual([one.computed, 1]);
  });

  it('reads the facts of each coin once', async () => {
    const items = Array.from({ length: 20 }, (_, n) => ({ address: n % 2 ? 'ton' : 'TON' }));
    const { body } = await post('/token/info', { items }).expect(200);
    expect(body).toHaveLength(20);
    expect(reads.get('facts of TON')).toBe(1);
  });

  it('counts as many, and what one address has used up another has still', async () => {
    const app = server(documents, NOW, createMemoryLimits({ token_prices: 20 }));
    const to = (ip: string) => app.post('/v2/rates').set('X-Forwarded-For', ip);
    const many = { tokens: spellings(MASTER, 100) };
    await to('198.51.100.1').send(many).expect(200);
    await to('198.51.100.1').send(many).expect(200);
    const { body } = await to('198.51.100.1')
      .send({ tokens: ['ton'] })
      .expect(429);
    expect(body).toMatchObject({ code: 'rate_limited', 'violated-policies': ['token_prices'] });
    await to('198.51.100.2').send(many).expect(200);
  });
});

describe('GET /v2/price', () => {
  it('has the prices as wallets read them, and what they are made of', async () => {
    const { body, headers } = await server(documents).get('/v2/price').expect(200);
    expect(body).toEqual({
      price: { usd: 3.03 },
      rates: { USD: 1, EUR: 0.5 },
      solanaPrice: { usd: 150.5 },
      xaut0Price: { usd: 4_000 },
      evidence: {
        TON: {
          price: '3.03',
          at: READ,
          isFrozen: false,
          isStale: false,
          sources: [{ source: 'local-a', price: '3.03', at: READ }],
          dropped: [],
        },
        SOL: expect.any(Object),
        XAUT: expect.any(Object),
        EUR: expect.any(Object),
      },
    });
    expect(headers).toMatchObject({ age: '30', 'x-data-as-of': READ, 'x-data-sources': 'local-a' });
  });

  it('serves the last prices with their age while no source answers', async () => {
    const { body, headers } = await server(documents, NOW + 24 * HOUR_MS)
      .get('/v2/price')
      .expect(200);
    expect(body).toMatchObject({ price: { usd: 3.03 }, evidence: { TON: { at: READ, isStale: true } } });
    expect(headers['age']).toBe(String(24 * 3_600 + 30));
  });

  it('says that a price is frozen', async () => {
    const [ton, ...others] = documents as [PriceDocument];
    const dropped = [{ source: 'local-b', price: '3000', at: READ }];
    const { body } = await server([{ ...ton, isFrozen: true, used: [], dropped }, ...others]).get(
      '/v2/price',
    );
    expect(body).toMatchObject({
      price: { usd: 3.03 },
      evidence: { TON: { isFrozen: true, sources: [], dropped } },
    });
  });

  it('is a 503 before the first price', async () => {
    const { body } = await server([]).get('/v2/price').expect(503);
    expect(body).toMatchObject({ code: 'not_ready', ok: false });
  });
});

describe('POST /v2/rates', () => {
  const ask = (body: object) => server(documents).post('/v2/rates').send(body);

  it('has the changes as wallets read them', async () => {
    const { body } = await ask({ network: 'mainnet', tokens: ['ton'], currencies: ['usd'] }).expect(200);
    expect(body).toMatchObject({
      rates: {
        TON: {
          prices: { USD: 3.03 },
          diff24h: { USD: '+1.00%' },
          diff7d: { USD: '\u221224.25%' },
          diff30d: { USD: '0.00%' },
        },
      },
      testnet: false,
    });
    expect(Object.keys((body as { evidence: object }).evidence)).toEqual(['TON']);
  });

  it('changes in a currency are those of both, and absent where nothing is known of then', async () => {
    const { body } = await ask({ network: 'mainnet', tokens: ['TON'], currencies: ['eur'] });
    expect(body).toMatchObject({
      rates: { TON: { prices: { EUR: 1.515 }, diff24h: { EUR: '\u221249.50%' }, diff7d: {}, diff30d: {} } },
    });
  });

  it('takes the network alone, and has TON in all currencies', async () => {
    const { body } = await ask({ network: 'testnet' }).expect(200);
    expect(body).toMatchObject({
      network: 'testnet',
      testnet: true,
      rates: { TON: { prices: { USD: 3.03, EUR: 1.515 } } },
    });
  });

  it('takes other names, and jettons; what has no price is left out', async () => {
    const tokens = ['gram', 'XAUT0', MASTER, 'doge', `0:${'00'.repeat(32)}`];
    const { body } = await ask({ network: 'mainnet', tokens, currencies: ['USD', 'XXX'] }).expect(200);
    const { rates } = body as { rates: Record<string, { prices: object }> };
    expect(Object.entries(rates).map(([name, { prices }]) => [name, prices])).toEqual([
      ['GRAM', { USD: 3.03 }],
      ['XAUT0', { USD: 4_000 }],
      [MASTER, { USD: 0.25 }],
    ]);
    expect(demanded).toMatchObject([
      { network: 'mainnet', master: MASTER },
      { network: 'mainnet', master: `0:${'00'.repeat(32)}` },
    ]);
  });

  it.each([
    ['/network', { network: 'devnet' }],
    ['/tokens', { network: 'mainnet', tokens: [] }],
    ['/tokens', { network: 'mainnet', tokens: Array<string>(101).fill('ton') }],
    ['/tokens/0', { network: 'mainnet', tokens: ['$ne'] }],
    ['/tokens/0', { network: 'mainnet', tokens: [{ $ne: null }] }],
    ['/currencies/0', { network: 'mainnet', currencies: ['euro'] }],
  ])('refuses a wrong %s', async (pointer, body) => {
    const answer = await ask(body).expect(400);
    expect(JSON.stringify(answer.body)).toContain(`/body${pointer}`);
  });
});

describe('GET /v2/rates/chart', () => {
  const ask = (query: string, found = documents) => server(found).get(`/v2/rates/chart?${query}`);
  const seconds = (hour: number) => (hour * HOUR_MS) / 1_000;

  it('has the last price of each hour, at its end, and the current one at its own time', async () => {
    const { body, headers } = await ask('token=ton&period=30d').expect(200);
    expect(body).toEqual({
      network: 'mainnet',
      token: 'ton',
      currency: 'USD',
      period: '30d',
      stepSeconds: 3_600,
      points: [
        [seconds(HOUR - 719), 3.03],
        [seconds(HOUR - 167), 4],
        [seconds(HOUR - 23), 3],
        [Date.parse(READ) / 1_000, 3.03],
      ],
      evidence: { TON: expect.objectContaining({ price: '3.03', isFrozen: false }) },
    });
    expect(headers).toMatchObject({ age: '30', 'x-data-as-of': READ, 'x-data-sources': 'local-a' });
  });

  it('has in a currency the points of which both prices are known', async () => {
    const { body } = await ask('token=TON&currency=EUR&period=7d').expect(200);
    expect(body).toMatchObject({
      points: [
        [seconds(HOUR - 23), 3],
        [Date.parse(READ) / 1_000, 1.515],
      ],
      evidence: { TON: expect.any(Object), EUR: expect.any(Object) },
    });
  });

  it('has no points of what has no price', async () => {
    for (const query of ['token=doge', `token=0:${'00'.repeat(32)}`, 'token=ton&currency=VND'])
      expect((await ask(query).expect(200)).body).toMatchObject({ points: [], period: '1d' });
    expect((await ask(`token=${MASTER}`)).body).toMatchObject({ points: [[expect.any(Number), 0.25]] });
    expect((await ask(`token=${MASTER}&network=testnet`)).body).toMatchObject({ points: [] });
  });

  it('has the current price alone of a document of version 1', async () => {
    const [ton] = documents as [PriceDocument];
    const old = { ...ton, history: { from: HOUR, prices: ['3.03'] } as PriceDocument['history'] };
    expect((await ask('period=30d', [old])).body).toMatchObject({ points: [[expect.any(Number), 3.03]] });
    const { body } = await server([old])
      .post('/v2/rates')
      .send({ tokens: ['ton'] })
      .expect(200);
    expect(body).toMatchObject({ rates: { TON: { diff24h: {} } } });
  });

  it('is bounded', async () => {
    const [ton] = documents as [PriceDocument];
    const full = { from: HOUR - 744, prices: Array<string>(745).fill('3') };
    const { body } = await ask('period=30d', [{ ...ton, history: { ...ton.history, hours: full } }]);
    expect((body as { points: unknown[] }).points).toHaveLength(721);
  });

  it('is a 503 before the first price', async () => {
    await ask('token=ton', []).expect(503);
  });
});

describe('GET /jettons/rates/{key}', () => {
  it('has the price in all currencies', async () => {
    const { body, headers } = await server(documents).get(
      `/jettons/rates/${encodeURIComponent(MASTER)}?isTestnet=false`,
    );
    expect(body).toEqual({ USD: 0.25, EUR: 0.125 });
    expect(headers).toMatchObject({ age: '30', 'x-data-sources': 'local-a' });
    expect(demanded).toEqual([{ network: 'mainnet', master: MASTER }]);
  });

  it('is null without a price, also on the other network', async () => {
    for (const path of [`0:${'00'.repeat(32)}?isTestnet=false`, `${MASTER}?isTestnet=true`])
      expect((await server(documents).get(`/jettons/rates/${path}`).expect(200)).body).toBeNull();
  });
});

describe('POST /token/info', () => {
  const ask = (body: object) => server(documents).post('/token/info').send(body);

  it('has what a source says of a coin, with our own price and its changes, and names what nobody says', async () => {
    const { body, headers } = await ask({ id: '11419' }).expect(200);
    expect(body).toMatchObject({
      description: {
        title: 'Toncoin',
        description: 'The coin of TON.',
        items: [{ type: 'link', title: 'Website', url: 'https://ton.org' }],
      },
      data: {
        _id: 11_419,
        symbol: 'TON',
        cmc_rank: 20,
        max_supply: null,
        quote: {
          USD: { price: 3.03, percent_change_1h: 0.5, percent_change_24h: 1, percent_change_7d: -24.25 },
        },
      },
      source: 'coingecko',
    });
    expect((body as { unknown: string[] }).unknown.sort()).toEqual([
      'date_added',
      'fully_diluted_market_cap',
      'market_cap_dominance',
      'num_market_pairs',
      'volume_change_24h',
    ]);
    expect(headers).toMatchObject({ 'x-data-sources': 'coingecko', 'x-data-as-of': READ });
  });

  it('has the changes that the source says of a coin whose price of then is not known, and names those that nobody says', async () => {
    const [ton] = documents as [PriceDocument];
    const { body } = await server([{ ...ton, history: {} }])
      .post('/token/info')
      .send({ id: '11419' });
    const quote = { percent_change_24h: -1, percent_change_7d: 0 };
    expect(body).toMatchObject({ data: { quote: { USD: quote } } });
    expect((body as { unknown: string[] }).unknown).toContain('percent_change_7d');
  });

  it('has the price and the changes of the source while our own price is from long before', async () => {
    const [ton] = documents as [PriceDocument];
    const at = new Date(NOW - 24 * HOUR_MS).toISOString();
    const { body } = await server([{ ...ton, at, isFrozen: true }])
      .post('/token/info')
      .send({ id: '11419' });
    expect(body).toMatchObject({
      data: { last_updated: READ, quote: { USD: { price: 3.2, percent_change_24h: -1 } } },
    });
  });

  it('answers a list by a list, with null for what is unknown', async () => {
    const items = [
      { address: 'gram', type: 'coin' },
      { address: MASTER, type: 'jetton' },
      { address: 'doge' },
    ];
    const { body } = await ask({ items }).expect(200);
    expect(body).toMatchObject([{ data: { symbol: 'TON' } }, null, null]);
  });

  it('knows XAUt0 by its own id, too', async () => {
    const [own, other] = await Promise.all(
      ['37082', '5176'].map(async id => (await ask({ id }).expect(200)).body as unknown),
    );
    expect(own).toMatchObject({ data: { name: expect.any(String) } });
    expect(own).toEqual(other);
  });

  it('is null for an unknown id', async () => {
    expect((await ask({ id: '1' }).expect(200)).body).toBeNull();
  });

  it.each([
    {},
    { id: '1', items: [{ address: 'TON' }] },
    { id: 11_419 },
    { id: 'x' },
    { id: { $ne: null } },
    { items: [] },
    { items: [{}] },
    [],
  ])('refuses %j', async body => {
    expect((await ask(body).expect(400)).body).toMatchObject({ code: 'invalid_request' });
  });
});
