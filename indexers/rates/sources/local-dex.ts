import { coinAsset } from '../../../contracts/chain/prices';
import type { PriceSource } from '../price-source';

const INTERVAL_MS = 60_000;
/** The pool is opened when the network is seeded. */
const RETRY_MS = 2_000;

/** The exchange of the local networks. @param priceOfTon dollars; null before there is a pool */
export function localDexSource(priceOfTon: () => Promise<string | null>): PriceSource {
  return {
    name: 'local-dex',
    realm: 'local',
    intervalMs: INTERVAL_MS,
    retryMs: RETRY_MS,
    quorum: 1,
    requests: [],
    async readContracts() {
      const price = await priceOfTon();
      return price === null ? [] : [{ asset: coinAsset('TON'), price, at: null }];
    },
  };
}
