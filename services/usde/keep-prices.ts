import type { Logger } from 'pino';
import type { TonNetwork } from '../../contracts/network/network';
import type { Views } from '../../projections/views';
import { keepLooking, type Look } from '../reads/keep-looking';
import { type SharePriceReaders, pricesBefore } from './prices';

/** A price that was not read for so long is read again, though no block has changed it. */
const MAX_AGE_MS = 60 * 60_000;

export interface KeepPricesDeps extends SharePriceReaders {
  readonly views: Pick<Views, 'waitForChange' | 'subscribe'>;
  readonly networks: readonly TonNetwork[];
  readonly logger: Logger;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/**
 * Has a price of each day of the chain observed, whether anyone reads it or not, as soon as a price of that day is known. Until the
 * signal.
 */
export async function keepSharePrices(deps: KeepPricesDeps, signal: AbortSignal): Promise<void> {
  const { networks, views, logger } = deps;
  const keepPricesOf = (network: TonNetwork): Promise<void> =>
    keepLooking(
      views,
      () => lookAt(deps, network),
      error => logger.debug({ err: error, network }, 'price of tsUSDe not observed'),
      signal,
    );
  await Promise.all(networks.map(keepPricesOf));
}

/** Requests what is missing. */
async function lookAt(deps: KeepPricesDeps, network: TonNetwork): Promise<Look> {
  const { price, now } = deps;
  const known = await price.find({ network });
  if (!known || now() - Date.parse(known.at) > MAX_AGE_MS) await price.request({ network });
  if (known?.data) await pricesBefore(deps, network, known.data);
  return { isDone: known !== null, sources: [price.source({ network })] };
}
