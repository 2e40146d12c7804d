import type { IncomingMessage, ServerResponse } from 'node:http';
import type { PublicWeb, WebRequest } from '../../contracts/ports/public-web';
import { createPublicWeb } from '../../infra/engines/public-web/public-web';
import { CERTIFICATE, startHttpsServer } from '../doubles/https-server';
import { until } from '../until';

/** How a host answers. */
export type Answering = (response: ServerResponse, healthy: () => string) => void;

/** Does not answer. The client waits until it has asked, and no longer. */
export const stall: Answering = () => undefined;

const healthy: Answering = (response, body) => void response.end(body());

/** Doubles of all sources of prices, on one server of this machine, in the forms that their documentation shows. */
export async function startMarkets() {
  const state = { price: 3, now: 0, answering: new Map<string, Answering>(), answeringAll: healthy };
  const asked = new Map<string, number>();
  const answeringOf = (host: string): Answering => state.answering.get(host) ?? state.answeringAll;

  const server = await startHttpsServer((request: IncomingMessage, response: ServerResponse) => {
    const [, host = '', path = ''] = /^\/([^/]+)(.*)$/.exec(request.url!)!;
    asked.set(host, (asked.get(host) ?? 0) + 1);
    const body = (): string => {
      const found = ANSWERS[host]?.(new URL(path, 'https://any.example'), state);
      return JSON.stringify(found ?? { error: 'unknown' });
    };
    answeringOf(host)(response, body);
  });
  const web = createPublicWeb({
    resolve: async () => [{ address: '127.0.0.1', family: 4 }],
    isAllowed: () => true,
    port: server.port,
    ca: CERTIFICATE,
  });

  const onThisServer = (text: string): string => {
    const { host, pathname, search } = new URL(text);
    return `https://tokens.example:${server.port}/${host}${pathname}${search}`;
  };

  /** Time passes at once while a host stalls. */
  const inTime = (text: string, request: WebRequest): WebRequest => {
    const { host } = new URL(text);
    if (answeringOf(host) !== stall) return request;
    const [before, timeout] = [asked.get(host), new AbortController()];
    void until(() => asked.get(host) !== before).then(() => timeout.abort());
    return {
      ...request,
      signal: AbortSignal.any([timeout.signal, ...(request.signal ? [request.signal] : [])]),
    };
  };

  return {
    /** The client of the program, for which all hosts are on this server. */
    web: {
      get: (text, request) => web.get(onThisServer(text), inTime(text, request)),
      read: (text, request) => web.read(onThisServer(text), inTime(text, request)),
    } satisfies PublicWeb,
    hosts: Object.keys(ANSWERS),
    /** Requests to a host so far. */
    asked: (host: string): number => asked.get(host) ?? 0,
    /** What TON costs, other coins in proportion; and the time of the markets. */
    trade(price: number, now: number): void {
      Object.assign(state, { price, now });
    },
    /** All answer so; or well again. */
    all(answering: Answering = healthy): void {
      state.answering.clear();
      state.answeringAll = answering;
    },
    one(host: string, answering: Answering): void {
      state.answering.set(host, answering);
    },
    async close() {
      await web.close();
      await server.close();
    },
  };
}

export type Markets = Awaited<ReturnType<typeof startMarkets>>;

interface State {
  readonly price: number;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

const priceOf = (pair: string, { price }: State): string =>
  (/TON/.test(pair) ? price : price * 50).toFixed(4);
const EURO = '0.86';

const ANSWERS: Readonly<Record<string, (url: URL, state: State) => unknown>> = {
  'www.okx.com': ({ searchParams }, state) => {
    const instId = searchParams.get('instId')!;
    return { code: '0', data: [{ instId, last: priceOf(instId, state), ts: String(state.now) }] };
  },
  'api.kucoin.com': ({ searchParams }, state) => {
    const symbol = searchParams.get('symbol')!;
    return { code: '200000', data: { symbol, last: priceOf(symbol, state), time: state.now } };
  },
  'api.bybit.com': ({ searchParams }, state) => {
    const symbol = searchParams.get('symbol')!;
    const list = [{ symbol, lastPrice: priceOf(symbol, state) }];
    return { retCode: 0, result: { category: 'spot', list }, time: state.now };
  },
  'api.gateio.ws': ({ searchParams }, state) => {
    const pair = searchParams.get('currency_pair')!;
    return [{ currency_pair: pair, last: priceOf(pair, state) }];
  },
  'api-pub.bitfinex.com': ({ searchParams }, state) => {
    const pair = searchParams.get('symbols')!;
    return [[pair, 1, 1, 1, 1, 0, 0, Number(priceOf(pair, state)), 1, 1, 1]];
  },
  'api.coinbase.com': () => ({ data: { currency: 'USD', rates: { EUR: EURO } } }),
  'open.er-api.com': () => ({ result: 'success', base_code: 'USD', rates: { EUR: Number(EURO) } }),
  'api.frankfurter.dev': () => ({ base: 'USD', rates: { EUR: Number(EURO) } }),
  'www.floatrates.com': () => ({ eur: { alphaCode: 'EUR', rate: Number(EURO) } }),
  'cdn.jsdelivr.net': () => ({ usd: { eur: Number(EURO) } }),
  'latest.currency-api.pages.dev': () => ({ usd: { eur: Number(EURO) } }),
  'api.coingecko.com': ({ pathname, searchParams }, state) =>
    pathname.endsWith('/simple/price')
      ? Object.fromEntries(
          searchParams
            .get('ids')!
            .split(',')
            .map(id => [id, averageOf(id, state)]),
        )
      : coinOf(pathname, state),
};

const averageOf = (id: string, state: State) => ({
  usd: Number(priceOf(id === 'the-open-network' ? 'TON' : id, state)),
  last_updated_at: Math.floor(state.now / 1_000),
});

const coinOf = (pathname: string, { now, price }: State) => ({
  id: pathname.split('/').at(-1),
  name: 'Toncoin',
  symbol: 'ton',
  last_updated: new Date(now).toISOString(),
  market_data: { current_price: { usd: price } },
});
