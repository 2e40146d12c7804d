import { z } from 'zod';
import { LOCAL_MARKET_ORIGIN, LOCAL_VENUES, type LocalVenue } from '../../../contracts/chain/local-market';
import { coinAsset, COINS, PRICE_STEPS, type Coin } from '../../../contracts/chain/prices';
import { TON_NETWORKS } from '../../../contracts/network';
import {
  milliseconds,
  positivePrice,
  type Close,
  type PastRequest,
  type PastSteps,
  type PriceSource,
  type SourcePrice,
} from '../price-source';

const INTERVAL_MS = 10_000;
const QUORUM = 2;
const rawAddress = z.string().regex(/^0:[0-9a-f]{64}$/);

const answerOf = (venue: LocalVenue) =>
  z.object({
    venue: z.literal(venue),
    at: milliseconds,
    coins: z.partialRecord(z.enum(COINS), positivePrice),
    jettons: z.partialRecord(z.enum(TON_NETWORKS), z.record(rawAddress, positivePrice)),
  });

const closesOf = (venue: LocalVenue, coin: Coin, { step, from, until }: PastSteps) =>
  z.object({
    venue: z.literal(venue),
    coin: z.literal(coin),
    step: z.literal(step),
    from: z.literal(from),
    closes: z.array(positivePrice).max(until - from),
  });

/** The places of the local market. */
export const localMarketSources: readonly PriceSource[] = LOCAL_VENUES.map(venue => ({
  name: venue,
  realm: 'local',
  intervalMs: INTERVAL_MS,
  quorum: QUORUM,
  past: COINS.map(coin => ({
    asset: coinAsset(coin),
    requests: (steps: PastSteps): PastRequest[] => [
      {
        url: `${LOCAL_MARKET_ORIGIN}/${venue}/${steps.step}/${steps.from}/${steps.until}/${coin}.json`,
        parse(answer) {
          const { closes } = closesOf(venue, coin, steps).parse(answer);
          return closes.map((close, n): Close => [(steps.from + n) * PRICE_STEPS[steps.step], close]);
        },
      },
    ],
  })),
  requests: [
    [
      {
        url: `${LOCAL_MARKET_ORIGIN}/${venue}.json`,
        parse(answer: unknown): SourcePrice[] {
          const { at, coins, jettons } = answerOf(venue).parse(answer);
          return [
            ...COINS.flatMap(coin => {
              const price = coins[coin];
              return price === undefined ? [] : [{ asset: coinAsset(coin), price, at }];
            }),
            ...TON_NETWORKS.flatMap(network =>
              Object.entries(jettons[network] ?? {}).map(([master, price]) => ({
                asset: { type: 'jetton', network, master } as const,
                price,
                at,
              })),
            ),
          ];
        },
      },
    ],
  ],
}));
