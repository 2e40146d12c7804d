import { Command } from 'commander';
import { findAllPrices, pricesProjection, type PriceDocument } from '../../../../projections/rates/prices';
import { isPriced, isStale } from '../../../../services/rates/prices';
import type { Config } from '../../../config/settings';
import { list, print } from '../../commands/output';
import { withReads } from '../../commands/reading';
import { mayBeRunning } from '../../commands/running-program';

/** The prices of `GET /v2/price` and `POST /v2/rates`, for operators: which sources agree, and which do not. */
export function ratesCommand(config: () => Config): Command {
  return new Command('rates')
    .description('prices with their ages and sources')
    .action(async (_flags: object, command: Command) => {
      const settings = config();
      const isRefreshed = mayBeRunning(settings);
      const prices = await withReads(settings, [pricesProjection], ({ engine }) =>
        findAllPrices(engine.views),
      );
      print({ prices: prices.map(shown) }, priceLines(prices, Date.now(), isRefreshed), command);
    });
}

const shown = ({ _id, price, at, isFrozen, used, dropped }: PriceDocument) => ({
  asset: _id,
  price,
  at,
  isFrozen,
  sources: used,
  dropped,
});

/**
 * @param now milliseconds since the epoch
 * @param isRefreshed whether a program runs, which reads them again
 */
export function priceLines(prices: readonly PriceDocument[], now: number, isRefreshed: boolean): string[] {
  const rows = prices.map(price => [
    price._id,
    price.price ?? '',
    price.at ?? '',
    stateOf(price, now, isRefreshed),
    price.used.map(({ source }) => source).join(', '),
    price.dropped.map(({ source, price }) => `${source} (${price})`).join(', '),
  ]);
  return list('prices', [['ASSET', 'PRICE', 'AT', 'STATE', 'SOURCES', 'DROPPED'], ...rows]);
}

function stateOf(price: PriceDocument, now: number, isRefreshed: boolean): string {
  if (!isPriced(price)) return 'unknown';
  if (isStale(price, now)) return 'stale';
  if (price.isFrozen) return 'frozen';
  return isRefreshed ? 'current' : 'last known';
}
