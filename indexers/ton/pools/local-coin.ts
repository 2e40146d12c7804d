import { LOCAL_DOLLAR, LOCAL_DOLLAR_DECIMALS } from '../../../contracts/chain/local-market';
import type { TonClient } from '../../../contracts/ports/ton-client';
import { localDex } from './dedust';
import { readPools } from './pool';
import { coinPrice } from './price';

/**
 * Dollars for one TON in the pool of the local dollar, of the local network that stands for the main one; null before there is
 * one.
 * @throws Error when the network does not answer
 */
export async function localPriceOfTon(client: TonClient): Promise<string | null> {
  const [pool] = await readPools(client, [localDex], await client.getLastBlock(), LOCAL_DOLLAR);
  return pool ? coinPrice(pool, LOCAL_DOLLAR_DECIMALS) : null;
}
