import { toNano } from '@ton/core';
import type { TonNetwork } from '../../../../contracts/network/network';
import type { PlacedContract } from '../chain/placed-contract';
import { liquidPoolContracts } from './liquid/local-liquid-pool';
import { poolContracts, poolController } from './local-pools';

/** Nanotons, of which a pool uses about ten in two rounds. */
const CONTROLLER_BALANCE = toNano(1_000_000);

/** Pools that their owner has staked in, their proxies, and the controller of all. */
export function stakingContracts(network: TonNetwork): readonly PlacedContract[] {
  const { wallet } = poolController(network);
  return [
    { address: wallet.address, balance: CONTROLLER_BALANCE, init: wallet.init },
    ...poolContracts(network),
    ...liquidPoolContracts(network),
  ];
}
