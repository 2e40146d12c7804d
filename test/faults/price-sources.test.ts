import request from 'supertest';
import type { PriceChart, PriceResponse, RatesResponse } from '../../contracts/http/rates';
import { readPriceSource } from '../../indexers/rates/read-sources';
import { LIVE_PRICE_SOURCES } from '../../indexers/rates/sources';
import { rates } from '../../infra/program/features/rates';
import { startTestProgram, type TestProgram } from '../program';
import { until } from '../until';
import { stall, startMarkets, type Answering, type Markets } from '../rates/markets';

/** The endpoints over doubles of all sources, which answer over HTTPS, in every way that they should not. */

// Each reads dozens of hosts over HTTPS several times, on a machine that may be busy.
jest.setTimeout(300_000);

const MINUTE_MS = 60_000;
const MASTER = `0:${'ab'.repeat(32)}`;

let markets: Markets;
let program: TestProgram;
/** Reads every source once. */
let readAll: () => Promise<unknown>;
/** How far the clock of the program is ahead. */
let aheadMs = 0;
const now = (): number => Date.now() + aheadMs;

beforeAll(async () => {
  markets = await startMarkets();
  const { web } = markets;
  markets.trade(BEFORE, now());
  const sources = LIVE_PRICE_SOURCES.map(source => ({ source, failing: new Map<string, string>() }));
  program = await startTestProgram({
    // The sources are read when the test says so.
    features: [{ ...rates, workers: [] }],
    settings: { TON_RPC_URL_MAINNET: 'http://127.0.0.1:9' },
    clients: { web, ton: noTon },
    clock: () => new Date(now()),
  });
  const { engines, logger, signal } = program.deps;
  const deps = { log: engines.log, logger, sources: LIVE_PRICE_SOURCES, web, now };
  readAll = () =>
    Promise.all(sources.map(({ source, failing }) => readPriceSource(deps, source, signal, failing)));
});
afterAll(async () => {
  await program?.stop();
  await markets?.close();
});

function noTon(): never {
  throw new Error('no node of TON');
}

const get = (path: string) => request(program.app).get(path);
const post = (path: string, body: object) => request(program.app).post(path).send(body);
const price = async (): Promise<PriceResponse> => (await get('/v2/price').expect(200)).body as PriceResponse;

/** What TON costs, and after an outage. */
const BEFORE = 3.01;
const AFTER = 3.21;
/** Names, and how many of the sources have a price of it. */
const SOURCES = { TON: 6, SOL: 6, USDY: 3, XAUT: 6, EUR: 5 };

/** All markets trade at a price, and every one of them has said so. */
async function tradingAt(ton: number): Promise<void> {
  markets.all();
  const expected = (name: string): number => (name === 'EUR' ? 0.86 : name === 'TON' ? ton : ton * 50);
  const isTrading = async (): Promise<boolean> => {
    const { evidence } = await price();
    return Object.entries(SOURCES).every(([name, count]) => {
      const { isFrozen, isStale, sources } = evidence[name]!;
      const agreeing = sources.filter(({ price }) => Number(price).toFixed(4) === expected(name).toFixed(4));
      return !isFrozen && !isStale && agreeing.length === count;
    });
  };
  // Again where a source has not answered in time, as on a busy machine.
  await until(async () => {
    markets.trade(ton, now());
    await readAll();
    return until(isTrading, Boolean, 5_000);
  });
}

const text =
  (body: string): Answering =>
  response =>
    void response.end(body);
const replaced =
  (value: string): Answering =>
  (response, healthy) =>
    void response.end(healthy().replace(/"?\b\d+\.\d+\b"?/g, value));

const FAULTS: Readonly<Record<string, Answering>> = {
  'are killed': response => void response.destroy(),
  stall,
  'answer HTML': text('<html><body>Just a moment...</body></html>'),
  'answer nothing': text(''),
  'answer an empty object': text('{}'),
  'answer NaN': replaced('"NaN"'),
  'answer NaN without quotes': replaced('NaN'),
  'answer Infinity': replaced('"Infinity"'),
  'answer a number beyond all numbers': replaced('1e999'),
  'answer negative prices': replaced('-3.01'),
  'answer zero': replaced('0'),
  'answer null': replaced('null'),
  'answer with an error': response => void response.writeHead(429).end('{"msg":"too many requests"}'),
  'redirect to a private address': response =>
    void response.writeHead(302, { location: 'http://169.254.169.254/latest/meta-data/' }).end(),
  'answer without end': response => void endless(response),
};

function scaled(factor: number): Answering {
  return (response, healthy) =>
    void response.end(healthy().replace(/\b\d+\.\d+\b/g, digits => (Number(digits) * factor).toFixed(5)));
}

function endless(response: Parameters<Answering>[0]): void {
  const write = (): void => {
    if (!response.destroyed) response.write('['.repeat(64 * 1024), write);
  };
  write();
}

/** Every source is asked. */
async function allAsked(): Promise<void> {
  const before = new Map(markets.hosts.map(host => [host, markets.asked(host)]));
  await readAll();
  expect(markets.hosts.filter(host => markets.asked(host) === before.get(host))).toEqual([]);
}

/** All sources are read once more, and what they said before has been projected. */
async function readAgain(): Promise<void> {
  const since = now();
  await readAll();
  await until(async () => {
    const { evidence } = await price();
    return Object.keys(SOURCES).every(name =>
      evidence[name]!.sources.some(({ at }) => Date.parse(at) >= since),
    );
  });
}

describe.each(Object.entries(FAULTS))('while all sources %s', (_what, answering) => {
  it('everything is served as it was last, with its age, and moves again afterwards', async () => {
    await tradingAt(BEFORE);
    const token = await post('/token/info', { id: '11419' }).expect(200);

    markets.all(answering);
    await allAsked();
    aheadMs += 11 * MINUTE_MS;
    const answers = await Promise.all([
      get('/v2/price'),
      post('/v2/rates', { network: 'mainnet', tokens: ['ton'], currencies: ['usd', 'eur'] }),
      get('/v2/rates/chart?currency=EUR'),
    ]);
    for (const { status, headers, body } of answers) {
      expect(status).toBe(200);
      expect(Number(headers['age'])).toBeGreaterThanOrEqual(11 * 60);
      expect(Date.parse(headers['x-data-as-of']!)).toBeLessThanOrEqual(now() - 11 * MINUTE_MS);
      expect((body as PriceResponse).evidence).toMatchObject({
        TON: { price: '3.01', isFrozen: true, isStale: true },
        EUR: { price: '0.86', isFrozen: true, isStale: true },
      });
    }
    const [first, rates, chart] = answers.map(({ body }) => body as unknown);
    expect(first).toMatchObject({
      price: { usd: BEFORE },
      rates: { EUR: 0.86 },
      solanaPrice: { usd: 150.5 },
    });
    expect((rates as RatesResponse).rates['TON']!.prices).toEqual({ USD: BEFORE, EUR: 2.5886 });
    expect((chart as PriceChart).points.at(-1)![1]).toBe(2.5886);
    expect((await get(`/jettons/rates/${MASTER}?isTestnet=false`).expect(200)).body).toBeNull();
    const { data } = (await post('/token/info', { id: '11419' }).expect(200)).body as typeof token.body;
    expect(data).toEqual((token.body as { data: unknown }).data);

    await tradingAt(AFTER);
    const { headers } = await get('/v2/price').expect(200);
    expect(Number(headers['age'])).toBeLessThan(60);
  });
});

describe.each([
  ...Object.entries(FAULTS),
  ['says 4 % more', scaled(1.04)],
  ['says 4 % less', scaled(0.96)],
] as const)('one market and one table that %s', (_what, answering) => {
  it('move nothing and freeze nothing', async () => {
    await tradingAt(BEFORE);
    // One of the two markets that have USDY.
    const lying = ['api.bybit.com', 'api.coinbase.com'];
    for (const host of lying) markets.one(host, answering);
    const before = lying.map(host => markets.asked(host));
    for (let reads = 0; reads < 2; reads++) {
      markets.trade(BEFORE, now());
      await readAgain();
      const { price: shown, rates, solanaPrice, usdyPrice, evidence } = await price();
      const others = [solanaPrice!.usd, usdyPrice!.usd];
      expect([shown.usd, rates['EUR'], ...others]).toEqual([BEFORE, 0.86, BEFORE * 50, BEFORE * 50]);
      expect(Object.values(evidence).filter(({ isFrozen }) => isFrozen)).toEqual([]);
    }
    expect(lying.every((host, n) => markets.asked(host) > before[n]! + 1)).toBe(true);
  });
});

it.each([
  ['a thousand times as much', 1_000],
  ['a thousandth', 0.001],
])('a market that says %s moves nothing, and is named', async (_what, factor) => {
  await tradingAt(BEFORE);
  markets.one('api.kucoin.com', (response, healthy) => {
    const scaled = (_: string, digits: string): string => `"last":"${(Number(digits) * factor).toFixed(5)}"`;
    response.end(healthy().replace(/"last":"([\d.]+)"/, scaled));
  });
  await readAll();
  const { price: shown, evidence } = await until(price, ({ evidence: { TON } }) =>
    TON!.dropped.some(
      ({ source, price }) => source === 'kucoin' && Number(price) === Number((BEFORE * factor).toFixed(5)),
    ),
  );
  expect(shown.usd).toBe(BEFORE);
  expect(evidence['TON']).toMatchObject({ isFrozen: false, dropped: [{ source: 'kucoin' }] });
});
