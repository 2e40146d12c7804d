import { z } from 'zod';
import { parseTonAddress } from '../account/address';
import { CURRENCIES } from '../chain/prices';
import { TON_NETWORKS } from '../network/network';
import type { Quota } from '../quota';
import { networkOf, tonAccount } from '../account/ton-account';
import { endpoint } from './endpoint';
import { isTestnetText, tonAddress } from './ton/fields';
import { LOCAL } from './local-accounts';

const group = 'Rates';

/** What is asked of many tokens at once, so that a call costs its caller what it costs the program. */
export const TOKEN_PRICES: Quota = {
  name: 'token_prices',
  of: 'reads of the prices of given tokens, and of facts about them; one counts once for each ten tokens',
  by: 'address',
  perMinute: 1_200,
};

const responseHeaders = {
  Age: 'Seconds since the oldest of the prices; above 600 it is stale',
  'X-Data-As-Of': 'Instant of the oldest of the prices',
  'X-Data-Sources':
    'What the prices come from; `embedded` is a fixed table, `local-a` to `local-c` are doubles, `local-dex` is the exchange of the local network',
};

const instant = z.iso.datetime();
const price = z.number().positive();

const quotes = z.array(z.object({ source: z.string(), price: z.string(), at: instant }));

/** What a price is made of. */
const evidence = z.object({
  /** Dollars for a coin or jetton, units for a dollar for a currency; the exact decimal. */
  price: z.string(),
  at: instant,
  /** Too few sources answer or agree: it is the price of `at`, when enough last did. */
  isFrozen: z.boolean(),
  /** Older than ten minutes. */
  isStale: z.boolean(),
  /** What it is the median of. */
  sources: quotes,
  /** Fresh, and more than 5 % from the median, or beside a file of operators; all of them while it is frozen. */
  dropped: quotes,
});
export type PriceEvidence = z.output<typeof evidence>;

const inDollars = z.object({ usd: price });

const priceResponse = z.object({
  /** Of TON. */
  price: inDollars,
  /** Units of each currency for a dollar. */
  rates: z.record(z.string(), price),
  solanaPrice: inDollars.optional(),
  usdyPrice: inDollars.optional(),
  xaut0Price: inDollars.optional(),
  /** By the name of the coin or currency. */
  evidence: z.record(z.string(), evidence),
});
export type PriceResponse = z.output<typeof priceResponse>;

export const getPrice = endpoint({
  group,
  method: 'GET',
  path: '/v2/price',
  operationId: 'getPrice',
  summary: 'Prices of coins in dollars, and exchange rates of the dollar',
  examples: [{}],
  etag: true,
  response: priceResponse,
  responseHeaders,
  /** Where no source of prices is followed. */
  errors: ['network_off'],
});

const MAX_NAMES = 100;

/** `ton`, `sol`, `usdy`, `xaut`, or the address of a jetton. */
const tokenName = z.union([z.string().regex(/^[A-Za-z0-9]{2,10}$/), tonAddress]);

const isJetton = (name: string): boolean => parseTonAddress(name) !== null;

const byCurrency = <T extends z.ZodType>(value: T) => z.record(z.string(), value);

const rateOfToken = z.object({
  prices: byCurrency(price),
  /** Such as `−1.25%`, with U+2212 as its minus; absent where no price of then is known. */
  diff24h: byCurrency(z.string()),
  diff7d: byCurrency(z.string()),
  diff30d: byCurrency(z.string()),
});
export type TokenRates = z.output<typeof rateOfToken>;

const ratesResponse = z.object({
  network: z.enum(TON_NETWORKS),
  /** Prices of coins on a test network are those of the main network: there they have no value. */
  testnet: z.boolean(),
  /** By the names of the request in upper case, addresses as they were given; without those that have no price. */
  rates: z.record(z.string(), rateOfToken),
  evidence: z.record(z.string(), evidence),
});
export type RatesResponse = z.output<typeof ratesResponse>;

export const getRates = endpoint({
  group,
  method: 'POST',
  path: '/v2/rates',
  operationId: 'getRates',
  summary: 'Prices of tokens in given currencies, and their changes',
  examples: [{ body: { network: 'mainnet', tokens: ['ton'], currencies: ['usd'] } }],
  body: z.object({
    network: z.enum(TON_NETWORKS).default('mainnet'),
    tokens: z.array(tokenName).min(1).max(MAX_NAMES).default(['TON']),
    /** Default: all. */
    currencies: z
      .array(z.string().regex(/^[A-Za-z]{3}$/))
      .min(1)
      .max(MAX_NAMES)
      .optional(),
  }),
  response: ratesResponse,
  responseHeaders,
  errors: ['rate_limited'],
  needs: ({ body: { network, tokens } }) => (tokens.some(isJetton) ? [{ chain: 'ton', network }] : []),
});

export const jettonRates = endpoint({
  group,
  method: 'GET',
  path: '/jettons/rates/{key}',
  summary: 'Prices of a jetton by currency; null while no source has a price',
  examples: [{ params: { key: LOCAL.semi }, query: { isTestnet: 'false' } }],
  /** The master, raw as a rule. */
  params: z.object({ key: tonAddress }),
  query: z.object({ isTestnet: isTestnetText }),
  etag: true,
  response: z.record(z.string(), price).nullable(),
  responseHeaders,
  errors: ['network_mismatch'],
  needs: ({ params, query }) => [tonAccount(params.key, networkOf(query.isTestnet), '/query/isTestnet')],
});

/** How far back a chart goes. */
export const CHART_PERIODS = ['1d', '7d', '30d', '1y'] as const;
export type ChartPeriod = (typeof CHART_PERIODS)[number];

const priceChart = z.object({
  network: z.enum(TON_NETWORKS),
  token: tokenName,
  currency: z.enum(['USD', ...CURRENCIES]),
  period: z.enum(CHART_PERIODS),
  /** From one point to the next, where none is missing. */
  stepSeconds: z.int(),
  /**
   * Unix seconds and price, oldest first: the last price of each step, and the current one at its own time. A step without a
   * price has no point; a token without one has none at all.
   */
  points: z.array(z.tuple([z.int(), price])).max(750),
  evidence: z.record(z.string(), evidence),
});
export type PriceChart = z.output<typeof priceChart>;

/** Beyond the specification: what changes are taken from. */
export const getPriceChart = endpoint({
  group,
  method: 'GET',
  path: '/v2/rates/chart',
  operationId: 'getRatesChart',
  summary: 'Price history of a token over a day, 7 days, 30 days or a year, as far back as it is known',
  examples: [{ query: { token: 'ton', currency: 'EUR', period: '30d', network: 'mainnet' } }],
  query: z.object({
    token: tokenName.default('TON'),
    currency: z.enum(['USD', ...CURRENCIES]).default('USD'),
    period: z.enum(CHART_PERIODS).default('1d'),
    network: z.enum(TON_NETWORKS).default('mainnet'),
  }),
  etag: true,
  response: priceChart,
  responseHeaders,
  needs: ({ query: { network, token } }) => (isJetton(token) ? [{ chain: 'ton', network }] : []),
});

const link = z.object({ type: z.literal('link'), title: z.string(), url: z.string() });

const quote = z.object({
  price: z.number(),
  volume_24h: z.number(),
  volume_change_24h: z.number(),
  market_cap: z.number(),
  market_cap_dominance: z.number(),
  fully_diluted_market_cap: z.number(),
  percent_change_1h: z.number(),
  percent_change_24h: z.number(),
  percent_change_7d: z.number(),
  percent_change_30d: z.number(),
  last_updated: instant,
});

const tokenInfo = z.object({
  description: z.object({ title: z.string(), description: z.string(), items: z.array(link) }).nullable(),
  /** In the form of CoinMarketCap, which wallets read. */
  data: z.object({
    _id: z.int(),
    name: z.string(),
    symbol: z.string(),
    slug: z.string(),
    is_active: z.int(),
    is_fiat: z.int(),
    cmc_rank: z.int(),
    num_market_pairs: z.int(),
    circulating_supply: z.number(),
    total_supply: z.number(),
    max_supply: z.number().nullable(),
    date_added: instant,
    last_updated: instant,
    tags: z.array(z.object({ slug: z.string(), name: z.string(), category: z.string() })),
    platform: z.null(),
    quote: z.object({ USD: quote }),
  }),
  source: z.string(),
  /** Fields of `data` and of its quote that have a value because wallets need one, while nobody has said it. */
  unknown: z.array(z.string()),
});
export type TokenInfo = z.output<typeof tokenInfo>;

const MAX_ITEMS = 20;

export const getTokenInfo = endpoint({
  group,
  method: 'POST',
  path: '/token/info',
  operationId: 'getTokenInfo',
  summary:
    'Facts about a coin other than its price; null where nothing is known. A request with `items` gets a list',
  examples: [{ body: { id: '11419' } }, { body: { items: [{ address: 'TON', type: 'coin' }] } }],
  body: z
    .object({
      /** Of CoinMarketCap, as wallets ask. */
      id: z
        .string()
        .regex(/^\d{1,10}$/)
        .optional(),
      /** What wallets do not send. */
      items: z
        .array(z.object({ address: z.string().min(1).max(128), type: z.string().max(20).optional() }))
        .min(1)
        .max(MAX_ITEMS)
        .optional(),
    })
    .refine(({ id, items }) => (id === undefined) !== (items === undefined), {
      error: 'must have either `id` or `items`',
      path: ['id'],
    }),
  response: z.union([tokenInfo, z.null(), z.array(tokenInfo.nullable())]),
  responseHeaders,
  /** Where no source of prices is followed. */
  errors: ['network_off', 'rate_limited'],
});
