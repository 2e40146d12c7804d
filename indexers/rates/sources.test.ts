import { assetKey } from '../../contracts/chain/prices';
import { webOf } from '../../test/doubles/public-web';
import { readFirst } from './price-source';
import { LIVE_PRICE_SOURCES } from './sources';

/**
 * Answers in the form that the documentation of each source shows (see the link beside each in `sources/`), with made-up
 * values: no source can be reached from where the tests run.
 */
const TON_ANSWERS: Readonly<Record<string, readonly [url: string, answer: string]>> = {
  okx: [
    'https://www.okx.com/api/v5/market/ticker?instId=TON-USDT',
    '{"code":"0","msg":"","data":[{"instType":"SPOT","instId":"TON-USDT","last":"3.012","lastSz":"12.5","askPx":"3.013","askSz":"11","bidPx":"3.011","bidSz":"5","open24h":"2.98","high24h":"3.05","low24h":"2.95","volCcy24h":"2222000","vol24h":"740000","sodUtc0":"2.99","sodUtc8":"3","ts":"1767225600000"}]}',
  ],
  kucoin: [
    'https://api.kucoin.com/api/v1/market/stats?symbol=TON-USDT',
    '{"code":"200000","data":{"time":1767225600000,"symbol":"TON-USDT","buy":"3.0118","sell":"3.0121","changeRate":"-0.0055","changePrice":"-0.0166","high":"3.05","low":"2.95","vol":"2282.7","volValue":"6875.1","last":"3.012","averagePrice":"3.0062","takerFeeRate":"0.001","makerFeeRate":"0.001","takerCoefficient":"1","makerCoefficient":"1"}}',
  ],
  bybit: [
    'https://api.bybit.com/v5/market/tickers?category=spot&symbol=TONUSDT',
    '{"retCode":0,"retMsg":"OK","result":{"category":"spot","list":[{"symbol":"TONUSDT","bid1Price":"3.011","bid1Size":"2","ask1Price":"3.013","ask1Size":"3","lastPrice":"3.012","prevPrice24h":"2.98","price24hPcnt":"0.0068","highPrice24h":"3.05","lowPrice24h":"2.95","turnover24h":"2402","volume24h":"801"}]},"retExtInfo":{},"time":1767225600000}',
  ],
  gate: [
    'https://api.gateio.ws/api/v4/spot/tickers?currency_pair=TON_USDT',
    '[{"currency_pair":"TON_USDT","last":"3.012","lowest_ask":"3.013","highest_bid":"3.011","change_percentage":"0.68","base_volume":"801","quote_volume":"2402","high_24h":"3.05","low_24h":"2.95"}]',
  ],
  bitfinex: [
    'https://api-pub.bitfinex.com/v2/tickers?symbols=tTONUSD',
    '[["tTONUSD",3.011,2204.1,3.013,1804.9,0.02,0.0066,3.012,90210.5,3.05,2.95]]',
  ],
};

/** Of all coins that it has a price of. */
const COINGECKO: readonly [url: string, answer: string] = [
  'https://api.coingecko.com/api/v3/simple/price?ids=the-open-network%2Csolana%2Condo-us-dollar-yield%2Ctether-gold&vs_currencies=usd&include_last_updated_at=true',
  '{"the-open-network":{"usd":3.012,"last_updated_at":1767225600},"ondo-us-dollar-yield":{"usd":1.13,"last_updated_at":1767225540}}',
];

const CURRENCY_ANSWERS: Readonly<Record<string, readonly [url: string, answer: string]>> = {
  coinbase: [
    'https://api.coinbase.com/v2/exchange-rates?currency=USD',
    '{"data":{"currency":"USD","rates":{"AED":"3.6725","BTC":"0.0000105","EUR":"0.8612","JPY":"150.25","USD":"1.0"}}}',
  ],
  'exchangerate-api': [
    'https://open.er-api.com/v6/latest/USD',
    '{"result":"success","provider":"https://www.exchangerate-api.com","time_last_update_unix":1767225600,"time_eol_unix":0,"base_code":"USD","rates":{"USD":1,"AED":3.6725,"EUR":0.8612,"JPY":150.25}}',
  ],
  frankfurter: [
    'https://api.frankfurter.dev/v1/latest?base=USD',
    '{"amount":1.0,"base":"USD","date":"2026-01-01","rates":{"EUR":0.8612,"JPY":150.25}}',
  ],
  floatrates: [
    'https://www.floatrates.com/daily/usd.json',
    '{"eur":{"code":"EUR","alphaCode":"EUR","numericCode":"978","name":"Euro","rate":0.8612,"date":"Thu, 1 Jan 2026 11:55:10 GMT","inverseRate":1.1611},"jpy":{"code":"JPY","alphaCode":"JPY","numericCode":"392","name":"Japanese Yen","rate":150.25,"date":"Thu, 1 Jan 2026 11:55:10 GMT","inverseRate":0.0066}}',
  ],
  'exchange-api': [
    'https://cdn.jsdelivr.net/npm/@fawazahmed0/currency-api@latest/v1/currencies/usd.json',
    '{"date":"2026-01-01","usd":{"1inch":1.5,"btc":0.0000105,"eur":0.8612,"jpy":150.25,"usd":1}}',
  ],
};

const sourceOf = (name: string) => LIVE_PRICE_SOURCES.find(source => source.name === name)!;

/** What a source says of the first asset that it lists, TON or all currencies, when the web answers so. */
const pricesOf = (name: string, answers: Readonly<Record<string, string | null>>) =>
  readFirst(webOf(answers), sourceOf(name).requests[0]!, new AbortController().signal);

it('has a recorded answer of every source', () => {
  expect([...Object.keys(TON_ANSWERS), 'coingecko', ...Object.keys(CURRENCY_ANSWERS)]).toEqual(
    LIVE_PRICE_SOURCES.map(({ name }) => name),
  );
});

describe.each(Object.entries(TON_ANSWERS))('%s', (name, [url, answer]) => {
  const read = (text: string) => pricesOf(name, { [url]: text });

  it('says the last price of TON', async () => {
    expect(await read(answer)).toEqual([
      {
        asset: { type: 'coin', coin: 'TON' },
        price: '3.012',
        at: /1767225600000/.test(answer) ? 1_767_225_600_000 : null,
      },
    ]);
  });

  it('says it where TON is listed as GRAM', async () => {
    const [, renamed] = sourceOf(name).requests[0]!;
    // Bitfinex writes longer names with a colon.
    const gram = answer.replaceAll('tTONUSD', 'tGRAM:USD').replaceAll('TON', 'GRAM');
    expect(await pricesOf(name, { [url]: null, [renamed!.url]: gram })).toMatchObject([
      { asset: { type: 'coin', coin: 'TON' }, price: '3.012' },
    ]);
  });

  it.each([
    '"NaN"',
    'null',
    '-3.012',
    '"-3.012"',
    '0',
    '"0.00"',
    '"1e3"',
    '"3,012"',
    '""',
    '{}',
    '1e-30',
    '1e300',
  ])('is refused with the price %s', async price => {
    const changed = answer.replace(/"3\.012"|\b3\.012\b/, price);
    expect(changed).not.toBe(answer);
    await expect(read(changed)).rejects.toThrow();
  });

  it.each([
    ['HTML', '<html><body>Just a moment...</body></html>'],
    ['nothing', ''],
    ['another pair', answer.replaceAll('TON', 'BTC')],
    ['half of the answer', answer.slice(0, answer.length / 2)],
    ['an error', '{"code":"50011","msg":"Too Many Requests","data":[]}'],
    ['bytes that are no UTF-8', Buffer.from([0xff, 0xfe, 0x00]).toString('latin1') + '\u0000'],
  ])('is refused with %s', async (_what, text) => {
    await expect(read(text)).rejects.toThrow();
  });
});

describe('coingecko', () => {
  const [url, answer] = COINGECKO;
  const read = (text: string) => pricesOf('coingecko', { [url]: text });
  const usdy = { asset: { type: 'coin', coin: 'USDY' }, price: '1.13', at: 1_767_225_540_000 };

  it('says the prices of all coins that it has, and when they were', async () => {
    const ton = { asset: { type: 'coin', coin: 'TON' }, price: '3.012', at: 1_767_225_600_000 };
    expect(await read(answer)).toEqual([ton, usdy]);
  });

  it.each(['"NaN"', 'null', '-3.012', '0', '{}', '1e-30', '1e300'])(
    'leaves out a coin with the price %s',
    async price => {
      expect(await read(answer.replace('3.012', price))).toEqual([usdy]);
    },
  );

  it.each([
    ['HTML', '<html></html>'],
    ['no coins', '{}'],
    ['an error', '{"status":{"error_code":429,"error_message":"too many requests"}}'],
    ['no times', answer.replaceAll('last_updated_at', 'at')],
  ])('is refused with %s', async (_what, text) => {
    await expect(read(text)).rejects.toThrow();
  });
});

const BEGIN = 1_767_225_600_000;

/** Candles in the form of the documentation, with made-up values: 3.012 at the end of the hour that begins at `BEGIN`. */
const CANDLES: Readonly<Record<string, readonly [url: string, answer: string]>> = {
  kucoin: [
    'https://api.kucoin.com/api/v1/market/candles?type=1hour&symbol=TON-USDT&startAt=1767225600&endAt=1767232800',
    '{"code":"200000","data":[["1767229200","3.012","3.02","3.03","3.01","120.5","362.9"],["1767225600","3","3.012","3.05","2.95","100.1","301.2"]]}',
  ],
  bybit: [
    'https://api.bybit.com/v5/market/kline?category=spot&symbol=TONUSDT&interval=60&start=1767225600000&end=1767232799999&limit=1000',
    '{"retCode":0,"retMsg":"OK","result":{"symbol":"TONUSDT","category":"spot","list":[["1767229200000","3.012","3.03","3.01","3.02","120.5","362.9"],["1767225600000","3","3.05","2.95","3.012","100.1","301.2"]]},"retExtInfo":{},"time":1767232800000}',
  ],
  gate: [
    'https://api.gateio.ws/api/v4/spot/candlesticks?currency_pair=TON_USDT&interval=1h&from=1767225600&to=1767232799',
    '[["1767225600","301.2","3.012","3.05","2.95","3","100.1","true"],["1767229200","362.9","3.02","3.03","3.01","3.012","120.5","true"]]',
  ],
  bitfinex: [
    'https://api-pub.bitfinex.com/v2/candles/trade%3A1h%3AtTONUSD/hist?start=1767225600000&end=1767232799999&limit=1000',
    '[[1767229200000,3.012,3.02,3.03,3.01,120.5],[1767225600000,3,3.012,3.05,2.95,100.1]]',
  ],
  coingecko: [
    'https://api.coingecko.com/api/v3/coins/ondo-us-dollar-yield/market_chart?vs_currency=usd&days=31',
    '{"prices":[[1767229200000,3.012],[1767232800000,3.02],[1767234000000,3.5]],"market_caps":[],"total_volumes":[]}',
  ],
};

it('has recorded candles of every source that has them', () => {
  const names = LIVE_PRICE_SOURCES.flatMap(({ name, past }) => (past ? [name] : []));
  expect(Object.keys(CANDLES)).toEqual(names);
});

describe.each(Object.entries(CANDLES))('candles of %s', (name, [url, answer]) => {
  const from = BEGIN / 3_600_000;
  const [coin] = sourceOf(name).past!;
  const read = (text: string) =>
    readFirst(
      webOf({ [url]: text }),
      coin!.requests({ step: 'hours', from, until: from + 2 }),
      new AbortController().signal,
    );

  it('say what a coin cost at the end of each hour', async () => {
    expect(Object.fromEntries(await read(answer))).toEqual({
      [BEGIN]: '3.012',
      [BEGIN + 3_600_000]: '3.02',
    });
  });

  it.each([
    ['HTML', '<html></html>'],
    ['an error', '{"code":"50011","retCode":10001,"msg":"Too Many Requests","data":[]}'],
    ['half of the answer', answer.slice(0, answer.length / 2)],
    ['a price that is no number', answer.replace(/"3\.02"|\b3\.02\b/, '"NaN"')],
    ['a negative price', answer.replace(/"3\.02"|\b3\.02\b/, '"-3.02"')],
    ['a time that is no number', answer.replace(/"?1767229200(000)?"?/, '"now"')],
  ])('are refused with %s', async (_what, text) => {
    expect(text).not.toBe(answer);
    await expect(read(text)).rejects.toThrow();
  });
});

const SWAPPED: Readonly<Record<string, string>> = { USD: 'EUR', EUR: 'USD', usd: 'eur', eur: 'usd' };

describe.each(Object.entries(CURRENCY_ANSWERS))('%s', (name, [url, answer]) => {
  const read = async (text: string) =>
    Object.fromEntries(
      (await pricesOf(name, { [url]: text })).map(({ asset, price }) => [assetKey('live', asset), price]),
    );

  it('says what a dollar costs in the currencies that are shown', async () => {
    const prices = await read(answer);
    expect(prices).toMatchObject({ 'live/currency/EUR': '0.8612', 'live/currency/JPY': '150.25' });
    expect(Object.keys(prices)).not.toContain('live/currency/BTC');
  });

  it.each(['"NaN"', 'null', '-1', '0', '{}'])('leaves out a currency with the value %s', async value => {
    const prices = await read(answer.replace(/"?0\.8612"?/, value));
    expect(prices).toMatchObject({ 'live/currency/JPY': '150.25' });
    expect(prices).not.toHaveProperty(['live/currency/EUR']);
  });

  it.each([
    ['HTML', '<!doctype html>'],
    ['the table of another currency', answer.replace(/usd|eur/gi, code => SWAPPED[code]!)],
    ['a table of nothing that is shown', answer.replace(/eur|jpy|aed/gi, 'XXX')],
    ['no table', '{"result":"error","error-type":"quota-reached"}'],
  ])('is refused with %s', async (_what, text) => {
    await expect(read(text)).rejects.toThrow();
  });
});

it('takes small numbers for what they are', async () => {
  const [url, answer] = TON_ANSWERS['bitfinex']!;
  const found = await pricesOf('bitfinex', { [url]: answer.replace('3.012', '2.5e-7') });
  expect(found).toMatchObject([{ price: '0.00000025' }]);
});
