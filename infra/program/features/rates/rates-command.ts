import { Command } from 'commander';
import { findAllPrices, pricesProjection, type PriceDocument } from '../../../../projections/rates/prices';
import { isPriced, isStale } from '../../../../services/rates/prices';
import type { Config } from '../../../config/settings';
import { list, print } from '../../commands/output';
import { withReads } from '../../commands/reading';

/** The prices of `GET /v2/price` and `POST /v2/rates`, for operators: which sources agree, and which do not. */
export function ratesCommand(config: () => Config): Command {
  return new Command('rates')
    .description('prices with their ages and sources')
    .action(async (_flags: object, command: Command) => {
      const prices = await withReads(config(), [pricesProjection], ({ engine }) =>
        findAllPrices(engine.views),
      );
      print({ prices: prices.map(shown) }, priceLines(prices, Date.now()), command);
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

/** @param now milliseconds since the epoch */
export function priceLines(prices: readonly PriceDocument[], now: number): string[] {
  const rows = prices.map(price => [
    price._id,
    price.price ?? '',
    price.at ?? '',
    stateOf(price, now),
    price.used.map(({ source }) => source).join(', '),
    price.dropped.map(({ source, price }) => `${source} (${price})`).join(', '),
  ]);
  return list('prices', [['ASSET', 'PRICE', 'AT', 'STATE', 'SOURCES', 'DROPPED'], ...rows]);
}

function stateOf(price: PriceDocument, now: number): string {
  if (!isPriced(price)) return 'unknown';
  if (isStale(price, now)) return 'stale';
  return price.isFrozen ? 'frozen' : 'current';
}
