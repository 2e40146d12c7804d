import { Address, beginCell, type TupleItem } from '@ton/core';
import { LOCAL_DEX_FACTORY } from '../../../contracts/chain/local-market';
import { askContract } from '../get-method';
import { DEDUST_FACTORY } from '../observations/contract-kinds';
import { dedustAsset } from '../observations/pool';
import type { PoolExchange } from './pool';

const VOLATILE: TupleItem = { type: 'int', value: 0n };
const NATIVE: TupleItem = { type: 'slice', cell: beginCell().storeUint(0, 4).endCell() };

function jettonAsset(master: string): TupleItem {
  const { workChain, hash } = Address.parseRaw(master);
  return {
    type: 'slice',
    cell: beginCell().storeUint(1, 4).storeInt(workChain, 8).storeBuffer(hash).endCell(),
  };
}

/**
 * An exchange with the get methods of DeDust (https://hub.dedust.io/contracts/v2): its factory computes the address of a pool
 * from its assets, so that no other contract can pretend to be the pool.
 */
const withFactory = (name: string, factory: string, markSeconds: number): PoolExchange => ({
  name,
  markSeconds,
  async findPool(client, seqno, master) {
    const args = [VOLATILE, NATIVE, jettonAsset(master)];
    const { value: pool } = await askContract(client, seqno, factory, 'get_pool_address', args, stack =>
      stack.readAddress().toRawString(),
    );
    if (pool === null) return null;
    // The reserves are in the order of the assets, which may be either.
    const { value: assets } = await askContract(client, seqno, pool, 'get_assets', [], stack =>
      [stack.readCell(), stack.readCell()].map(dedustAsset),
    );
    if (!assets) return null;
    const place = assets.findIndex(asset => asset?.type === 'native');
    const other = assets[1 - place];
    if (place < 0 || other?.type !== 'jetton' || other.address !== master) return null;
    return async (client, seqno) => {
      const { value: reserves } = await askContract(client, seqno, pool, 'get_reserves', [], stack => [
        stack.readBigNumber(),
        stack.readBigNumber(),
      ]);
      return reserves && { coins: reserves[place]!, jettons: reserves[1 - place]! };
    };
  },
});

/** DeDust on mainnet. */
export const dedust = withFactory('dedust', DEDUST_FACTORY, 120);

/** The exchange of the local networks, whose contracts are ours; its price is to move while one looks on. */
export const localDex = withFactory('local-dex', LOCAL_DEX_FACTORY, 10);
