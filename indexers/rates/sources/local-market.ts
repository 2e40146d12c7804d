import { z } from 'zod';
import { LOCAL_MARKET_ORIGIN, type LocalVenue } from '../../../contracts/chain/local-market';
import { coinAsset, COINS, PRICE_STEPS, type Coin } from '../../../contracts/chain/prices';
import {
  milliseconds,
  positivePrice,
  QUORUM,
  type Close,
  type PastRequest,
  type PastSteps,
  type PriceSource,
  type SourcePrice,
} from '../price-source';

const INTERVAL_MS = 60_000;

const answerOf = (venue: LocalVenue) =>
  z.object({
    venue: z.literal(venue),
    at: milliseconds,
    coins: z.partialRecord(z.enum(COINS), positivePrice),
  });

const closesOf = (venue: LocalVenue, coin: Coin, { step, from, until }: PastSteps) =>
  z.object({
    venue: z.literal(venue),
    coin: z.literal(coin),
    step: z.literal(step),
    from: z.literal(from),
    closes: z.array(positivePrice).max(until - from),
  });

/** A place of the local market, which is a double, for some coins. */
export function localMarketSource(venue: LocalVenue, coins: readonly Coin[]): PriceSource {
  return {
    name: venue,
    realm: 'local',
    intervalMs: INTERVAL_MS,
    quorum: QUORUM,
    past: coins.map(coin => ({
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
            const { at, coins: prices } = answerOf(venue).parse(answer);
            return coins.flatMap(coin => {
              const price = prices[coin];
              return price === undefined ? [] : [{ asset: coinAsset(coin), price, at }];
            });
          },
        },
      ],
    ],
  };
}
