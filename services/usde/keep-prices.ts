import type { Logger } from 'pino';
import type { TonNetwork } from '../../contracts/network/network';
import { sleep } from '../../contracts/retry/retry';
import { type SharePriceReaders, currentPrice, pricesBefore } from './prices';

const INTERVAL_MS = 60 * 60_000;

interface KeepPricesDeps extends SharePriceReaders {
  readonly networks: readonly TonNetwork[];
  readonly logger: Logger;
}

/** Has a price of each day observed, whether anyone reads it or not. Until the signal. */
export async function keepSharePrices(deps: KeepPricesDeps, signal: AbortSignal): Promise<void> {
  const { networks, logger } = deps;
  const observe = async (network: TonNetwork): Promise<void> => {
    try {
      await pricesBefore(deps, network, await currentPrice(deps, network));
    } catch (error) {
      logger.debug({ err: error, network }, 'price of tsUSDe not observed');
    }
  };
  while (!signal.aborted) {
    await Promise.all(networks.map(observe));
    await sleep(INTERVAL_MS, signal);
  }
}
