import { z } from 'zod';
import { coinAsset, COINS, PRICE_STEPS, type Coin } from '../../../contracts/chain/prices';
import {
  milliseconds,
  positivePrice,
  QUORUM,
  seconds,
  type Close,
  type PriceSource,
  type SourcePrice,
} from '../price-source';

/** The names of the coins there: https://docs.coingecko.com/reference/coins-id */
export const COINGECKO_IDS: Readonly<Record<Coin, string>> = {
  TON: 'the-open-network',
  SOL: 'solana',
  USDY: 'ondo-us-dollar-yield',
  XAUT: 'tether-gold',
};

const API = 'https://api.coingecko.com/api/v3';
const INTERVAL_MS = 60_000;

const prices = z.record(z.string().max(128), z.unknown());
const price = z.object({ usd: positivePrice, last_updated_at: seconds });
const chart = z.object({ prices: z.array(z.tuple([milliseconds, positivePrice])) });

/**
 * Its own averages over many markets, of all coins in one answer, from which one without a price is left out:
 * https://docs.coingecko.com/reference/simple-price
 */
export const coingecko: PriceSource = {
  name: 'coingecko',
  realm: 'live',
  intervalMs: INTERVAL_MS,
  quorum: QUORUM,
  requests: [
    [
      {
        url: `${API}/simple/price?ids=${Object.values(COINGECKO_IDS).join('%2C')}&vs_currencies=usd&include_last_updated_at=true`,
        parse(answer): SourcePrice[] {
          const found = prices.parse(answer);
          const known = COINS.flatMap(coin => {
            const said = price.safeParse(found[COINGECKO_IDS[coin]]);
            return said.success
              ? [{ asset: coinAsset(coin), price: said.data.usd, at: said.data.last_updated_at }]
              : [];
          });
          if (known.length === 0) throw new Error('the answer has no price');
          return known;
        },
      },
    ],
  ],
  // https://docs.coingecko.com/reference/coins-id-market-chart: so many days decide how far apart its prices are. Of the one coin
  // that too few markets have candles of, as its public limit is a handful of requests a minute.
  past: [
    {
      asset: coinAsset('USDY'),
      requests: ({ step }) => [
        {
          url: `${API}/coins/${COINGECKO_IDS.USDY}/market_chart?vs_currency=usd&days=${{ quarters: 1, hours: 31, days: 365 }[step]}`,
          parse(answer) {
            const ms = PRICE_STEPS[step];
            const closes = chart
              .parse(answer)
              .prices.map(([at, price]): Close => [(Math.floor(at / ms) - 1) * ms, price]);
            // A step ends with the first price after it, and the last one given counts.
            return closes.reverse();
          },
        },
      ],
    },
  ],
};
