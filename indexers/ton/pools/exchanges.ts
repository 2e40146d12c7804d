import type { PriceRealm } from '../../../contracts/chain/prices';
import type { TonNetwork } from '../../../contracts/network/network';
import { dedust, localDex } from './dedust';
import type { PoolExchange } from './pool';
import { stonFi } from './ston-fi';

/** The exchanges of a network of TON: the public ones are on mainnet only. */
export function exchangesOf(realm: PriceRealm, network: TonNetwork): readonly PoolExchange[] {
  if (realm === 'local') return [localDex];
  return network === 'mainnet' ? [dedust, stonFi] : [];
}
