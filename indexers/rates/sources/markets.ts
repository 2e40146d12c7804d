import { z } from 'zod';
import { PRICE_STEPS } from '../../../contracts/chain/prices';
import { milliseconds, positivePrice, seconds, type Close, type PastSteps } from '../price-source';
import type { Market } from './market';

/** The beginnings of the first step and of the one after the last: milliseconds since the epoch. */
const windowOf = ({ step, from, until }: PastSteps) => ({
  start: from * PRICE_STEPS[step],
  end: until * PRICE_STEPS[step],
});

/** https://www.okx.com/docs-v5/en/#order-book-trading-market-data-get-ticker */
// Its candles are not read: it gives 300 at a time, others a month of them.
const okx: Market = {
  name: 'okx',
  pairs: { TON: ['TON-USDT', 'GRAM-USDT'], SOL: ['SOL-USDT'], XAUT: ['XAUT-USDT'] },
  url: pair => `https://www.okx.com/api/v5/market/ticker?instId=${pair}`,
  parse(answer, pair) {
    const ticker = z.object({ instId: z.literal(pair), last: positivePrice, ts: milliseconds });
    const { data } = z.object({ code: z.literal('0'), data: z.tuple([ticker]) }).parse(answer);
    return { price: data[0].last, at: data[0].ts };
  },
};

/** https://www.kucoin.com/docs/rest/spot-trading/market-data/get-24hr-stats */
const kucoin: Market = {
  name: 'kucoin',
  pairs: { TON: ['TON-USDT', 'GRAM-USDT'], SOL: ['SOL-USDT'], XAUT: ['XAUT-USDT'] },
  url: pair => `https://api.kucoin.com/api/v1/market/stats?symbol=${pair}`,
  parse(answer, pair) {
    const data = z.object({ symbol: z.literal(pair), last: positivePrice, time: milliseconds });
    const stats = z.object({ code: z.literal('200000'), data }).parse(answer).data;
    return { price: stats.last, at: stats.time };
  },
  // https://www.kucoin.com/docs/rest/spot-trading/market-data/get-klines: begin in seconds, open, close, ...
  candles: {
    url(pair, steps) {
      const { start, end } = windowOf(steps);
      const type = { quarters: '15min', hours: '1hour', days: '1day' }[steps.step];
      return `https://api.kucoin.com/api/v1/market/candles?type=${type}&symbol=${pair}&startAt=${start / 1_000}&endAt=${end / 1_000}`;
    },
    parse(answer) {
      const row = z.tuple([seconds, z.unknown(), positivePrice]).rest(z.unknown());
      const { data } = z.object({ code: z.literal('200000'), data: z.array(row) }).parse(answer);
      return data.map(([begin, , close]): Close => [begin, close]);
    },
  },
};

/** https://bybit-exchange.github.io/docs/v5/market/tickers */
const bybit: Market = {
  name: 'bybit',
  pairs: { TON: ['TONUSDT', 'GRAMUSDT'], SOL: ['SOLUSDT'], USDY: ['USDYUSDT'], XAUT: ['XAUTUSDT'] },
  url: pair => `https://api.bybit.com/v5/market/tickers?category=spot&symbol=${pair}`,
  parse(answer, pair) {
    const ticker = z.object({ symbol: z.literal(pair), lastPrice: positivePrice });
    const result = z.object({ category: z.literal('spot'), list: z.tuple([ticker]) });
    const found = z.object({ retCode: z.literal(0), result, time: milliseconds }).parse(answer);
    return { price: found.result.list[0].lastPrice, at: found.time };
  },
  // https://bybit-exchange.github.io/docs/v5/market/kline: begin in milliseconds, open, high, low, close, ...
  candles: {
    url(pair, steps) {
      const { start, end } = windowOf(steps);
      const interval = { quarters: '15', hours: '60', days: 'D' }[steps.step];
      return `https://api.bybit.com/v5/market/kline?category=spot&symbol=${pair}&interval=${interval}&start=${start}&end=${end - 1}&limit=1000`;
    },
    parse(answer, pair) {
      const unread = z.unknown();
      const row = z.tuple([milliseconds, unread, unread, unread, positivePrice]).rest(unread);
      const result = z.object({
        category: z.literal('spot'),
        symbol: z.literal(pair),
        list: z.array(row),
      });
      const { list } = z.object({ retCode: z.literal(0), result }).parse(answer).result;
      return list.map(([begin, , , , close]): Close => [begin, close]);
    },
  },
};

/** https://www.gate.com/docs/developers/apiv4/en/#get-currency-pair-ticker-information */
const gate: Market = {
  name: 'gate',
  pairs: { TON: ['TON_USDT', 'GRAM_USDT'], SOL: ['SOL_USDT'], USDY: ['USDY_USDT'], XAUT: ['XAUT_USDT'] },
  url: pair => `https://api.gateio.ws/api/v4/spot/tickers?currency_pair=${pair}`,
  parse(answer, pair) {
    const [ticker] = z
      .tuple([z.object({ currency_pair: z.literal(pair), last: positivePrice })])
      .parse(answer);
    return { price: ticker.last, at: null };
  },
  // https://www.gate.com/docs/developers/apiv4/en/#market-candlesticks: begin in seconds, volume, close, ...
  candles: {
    url(pair, steps) {
      const { start, end } = windowOf(steps);
      const interval = { quarters: '15m', hours: '1h', days: '1d' }[steps.step];
      return `https://api.gateio.ws/api/v4/spot/candlesticks?currency_pair=${pair}&interval=${interval}&from=${start / 1_000}&to=${end / 1_000 - 1}`;
    },
    parse(answer) {
      const row = z.tuple([seconds, z.unknown(), positivePrice]).rest(z.unknown());
      return z
        .array(row)
        .parse(answer)
        .map(([begin, , close]): Close => [begin, close]);
    },
  },
};

/** https://docs.bitfinex.com/reference/rest-public-tickers: the eighth element of a row is the last price. */
const bitfinex: Market = {
  name: 'bitfinex',
  pairs: { TON: ['tTONUSD', 'tGRAM:USD'], SOL: ['tSOLUSD'], XAUT: ['tXAUT:USD'] },
  url: pair => `https://api-pub.bitfinex.com/v2/tickers?symbols=${encodeURIComponent(pair)}`,
  parse(answer, pair) {
    const unread = z.unknown();
    const row = z
      .tuple([z.literal(pair), unread, unread, unread, unread, unread, unread, positivePrice])
      .rest(unread);
    return { price: z.tuple([row]).parse(answer)[0][7], at: null };
  },
  // https://docs.bitfinex.com/reference/rest-public-candles: begin in milliseconds, open, close, ...
  candles: {
    url(pair, steps) {
      const { start, end } = windowOf(steps);
      const frame = { quarters: '15m', hours: '1h', days: '1D' }[steps.step];
      return `https://api-pub.bitfinex.com/v2/candles/${encodeURIComponent(`trade:${frame}:${pair}`)}/hist?start=${start}&end=${end - 1}&limit=1000`;
    },
    parse(answer) {
      const row = z.tuple([milliseconds, z.unknown(), positivePrice]).rest(z.unknown());
      return z
        .array(row)
        .parse(answer)
        .map(([begin, , close]): Close => [begin, close]);
    },
  },
};

export const MARKETS: readonly Market[] = [okx, kucoin, bybit, gate, bitfinex];
