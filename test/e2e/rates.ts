import { Address } from '@ton/core';
import type { PriceChart, PriceResponse, RatesResponse, TokenInfo } from '../../contracts/http/rates';
import { until } from '../until';
import type { Installation } from './installation';

interface Priced {
  readonly prices: PriceResponse;
  readonly headers: Headers;
}

async function price(main: Installation): Promise<Priced> {
  const { body, headers } = await main.get('/v2/price');
  return { prices: body as PriceResponse, headers };
}

/**
 * The first price after the program has started. Sources are read once a minute: what comes later is compared with it, so that
 * a test which runs after others need not wait for that. @param isComplete whether all that a test compares is there
 */
export function firstPrice(
  main: Installation,
  isComplete: (evidence: PriceResponse['evidence']) => boolean,
): () => Priced {
  let first: Priced;
  beforeAll(async () => {
    first = await until(
      () => price(main),
      ({ prices }) => prices.evidence !== undefined && isComplete(prices.evidence),
    );
  });
  return () => first;
}

export function rates(main: Installation, first: () => Priced): void {
  it('has prices of the local market, which move, with the places and times that they come from', async () => {
    const { prices, headers } = first();
    const { TON, EUR } = prices.evidence;
    expect(TON!.sources.map(({ source }) => source)).toEqual(['local-a', 'local-b', 'local-c']);
    expect(EUR!.sources.map(({ source }) => source)).toEqual(['embedded']);
    expect(headers.get('x-data-sources')).toBe('embedded, local-a, local-b, local-c');
    expect(prices.price.usd).toBe(Number(TON!.price));
    await until(
      () => price(main),
      later => later.prices.evidence['TON']!.price !== TON!.price,
    );
  });

  it('has rates in both dialects', async () => {
    const app = await main.post('/v2/rates', { network: 'mainnet', tokens: ['ton'], currencies: ['usd'] });
    expect(Object.keys((app.body as RatesResponse).rates['TON']!.prices)).toEqual(['USD']);
    const spec = await main.post('/v2/rates', { network: 'testnet' });
    expect((spec.body as RatesResponse).rates['TON']!.prices).toMatchObject({ EUR: expect.any(Number) });
  });

  it('has changes and charts from the first start on, of what the local market says of its past', async () => {
    const ask = { network: 'mainnet', tokens: ['ton', 'sol'], currencies: ['usd', 'eur'] };
    const { body } = await until(
      () => main.post('/v2/rates', ask),
      ({ status, body }) =>
        status === 200 && Object.keys((body as RatesResponse).rates['SOL']!.diff30d).length === 2,
    );
    const percent = expect.stringMatching(/^[+\u2212]?\d+\.\d\d%$/);
    const both = { USD: percent, EUR: percent };
    expect((body as RatesResponse).rates).toMatchObject({
      TON: { diff24h: both, diff7d: both, diff30d: both },
    });
    for (const [period, count] of [
      ['1d', 97],
      ['7d', 169],
      ['30d', 721],
      ['1y', 366],
    ] as const) {
      const { body } = await until(
        () => main.get(`/v2/rates/chart?token=ton&currency=EUR&period=${period}`),
        ({ body }) => (body as PriceChart).points.length >= count - 1,
      );
      const { points, stepSeconds, evidence } = body as PriceChart;
      const times = points.map(([at]) => at);
      expect(times).toEqual([...new Set(times)].sort((a, b) => a - b));
      expect(points.length).toBeLessThanOrEqual(count);
      expect(times.at(-1)! - times[0]!).toBeGreaterThan((count - 3) * stepSeconds);
      expect(new Set(points.map(([, price]) => price)).size).toBeGreaterThan(count / 2);
      expect(Object.keys(evidence)).toEqual(['TON', 'EUR']);
    }
  });

  it('has what the local market says of a coin', async () => {
    const answered = await until(
      () => main.post('/token/info', { id: '11419' }),
      ({ status }) => status === 200,
    );
    expect(answered.body as TokenInfo).toMatchObject({
      data: { name: 'Local Toncoin' },
      source: 'local market',
    });
  });
}

/** Where accounts trade. */
export function tradedRates(main: Installation, first: () => Priced): void {
  it('has the price of TON on the local exchange, which moves as accounts trade, and those of a double for other coins', async () => {
    const { TON, SOL } = first().prices.evidence;
    expect(TON!.sources).toMatchObject([{ source: 'local-dex' }]);
    expect(SOL!.sources.map(({ source }) => source)).toEqual(['local-a', 'local-b', 'local-c']);
    await until(
      () => price(main),
      later => later.prices.evidence['TON']!.price !== TON!.price,
    );
  });

  it('has prices of jettons, from their pools, once somebody asks for them', async () => {
    const { ton } = await main.places();
    const [dollar, semi, orphan] = ton[0]!.jettons!.map(({ master }) => Address.parse(master).toRawString());
    const rateOf = (master: string | undefined, isTestnet = false) =>
      main.get(`/jettons/rates/${encodeURIComponent(master!)}?isTestnet=${isTestnet}`);
    const first = await until(
      () => rateOf(dollar),
      ({ status, body }) => status === 200 && body !== null,
    );
    const { USD, EUR } = first.body as Record<string, number>;
    // It is what TON is valued by here, and as old as that.
    expect(USD).toBeGreaterThan(0.9);
    expect(USD).toBeLessThan(1.1);
    expect(EUR).toBeCloseTo(USD! * 0.86, 6);
    expect(first.headers.get('x-data-sources')).toBe('embedded, local-dex');
    expect((await rateOf(orphan)).body).toBeNull();
    expect((await rateOf(dollar, true)).body).toBeNull();

    const tokens = [dollar, semi, orphan];
    const { body } = await until(
      () => main.post('/v2/rates', { network: 'mainnet', tokens, currencies: ['usd'] }),
      ({ body }) => Object.keys((body as RatesResponse).rates).length === 2,
    );
    const { rates, evidence } = body as RatesResponse;
    expect(Object.keys(rates).sort()).toEqual([dollar!, semi!].sort());
    expect(evidence[semi!]!.sources).toMatchObject([{ source: 'local-dex' }]);
  });
}
