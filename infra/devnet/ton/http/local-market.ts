import { Router } from 'express';
import { isLocalCoin, isLocalVenue, localQuotes, localTokenFacts } from '../../market/market';
import { LOCAL_MARKET_PATH } from '../local-origin';
import { localJettonPrices } from '../traffic/local-tokens';

/** The places of the local market, a double: `GET /market/{venue}.json`, and what is said of its coins: `GET /market/coins/{coin}.json`. */
export function localMarketRoutes(now: () => number): Router {
  const router = Router();
  let jettons: ReturnType<typeof localJettonPrices> | undefined;
  router.get(`${LOCAL_MARKET_PATH}/:venue.json`, ({ params: { venue } }, response, next) => {
    if (isLocalVenue(venue)) response.json(localQuotes(venue, now(), (jettons ??= localJettonPrices())));
    else next();
  });
  router.get(`${LOCAL_MARKET_PATH}/coins/:coin.json`, ({ params: { coin } }, response, next) => {
    if (isLocalCoin(coin)) response.json(localTokenFacts(coin, now()));
    else next();
  });
  return router;
}
