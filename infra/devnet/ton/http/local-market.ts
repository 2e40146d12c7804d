import { Router } from 'express';
import { z } from 'zod';
import { LOCAL_VENUES, MAX_LOCAL_CLOSES } from '../../../../contracts/chain/local-market';
import { COINS, PRICE_STEPS, type PriceStep } from '../../../../contracts/chain/prices';
import { isLocalCoin, isLocalVenue, localCloses, localQuotes, localTokenFacts } from '../../market/market';
import { LOCAL_MARKET_PATH } from '../local-origin';
import { writtenNumber } from '../../../../contracts/text/written-number';

const pastSteps = z
  .object({
    venue: z.enum(LOCAL_VENUES),
    step: z.enum(Object.keys(PRICE_STEPS) as PriceStep[]),
    coin: z.enum(COINS),
    from: writtenNumber.pipe(z.int()),
    until: writtenNumber.pipe(z.int()),
  })
  .refine(({ from, until }) => from <= until && until - from <= MAX_LOCAL_CLOSES);

/**
 * The places of the local market, a double: `GET /market/{venue}.json`, their past:
 * `GET /market/{venue}/{step}/{from}/{until}/{coin}.json`, and what is said of its coins: `GET /market/coins/{coin}.json`.
 */
export function localMarketRoutes(now: () => number): Router {
  const router = Router();
  router.get(`${LOCAL_MARKET_PATH}/:venue.json`, ({ params: { venue } }, response, next) => {
    if (isLocalVenue(venue)) response.json(localQuotes(venue, now()));
    else next();
  });
  router.get(`${LOCAL_MARKET_PATH}/:venue/:step/:from/:until/:coin.json`, ({ params }, response, next) => {
    const parsed = pastSteps.safeParse(params);
    if (!parsed.success) return next();
    const { venue, coin, step, ...steps } = parsed.data;
    response.json(localCloses(venue, coin, step, steps));
  });
  router.get(`${LOCAL_MARKET_PATH}/coins/:coin.json`, ({ params: { coin } }, response, next) => {
    if (isLocalCoin(coin)) response.json(localTokenFacts(coin, now()));
    else next();
  });
  return router;
}
