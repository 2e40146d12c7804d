import { z } from 'zod';
import { milliseconds, positivePrice } from '../price-source';
import type { Market } from './market';

/** https://www.okx.com/docs-v5/en/#order-book-trading-market-data-get-ticker */
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
};

export const MARKETS: readonly Market[] = [okx, kucoin, bybit, gate, bitfinex];
