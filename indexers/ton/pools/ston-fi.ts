import { Address, beginCell, type TupleItem } from '@ton/core';
import { askContract } from '../get-method';
import { readJettonWallet, walletOf } from '../jetton-wallets';
import { STON_FI_ROUTER } from '../observations/pool';
import type { PoolExchange } from './pool';

/** The jetton in which version 1 of STON.fi wraps coins, one for one. */
const WRAPPED_COINS = Address.parse('EQCM3B12QK1e4yZSf8GtBRT0aLMNyEsBc_DhVfRRtOEffLez').toRawString();

const addressItem = (raw: string): TupleItem => ({
  type: 'slice',
  cell: beginCell().storeAddress(Address.parseRaw(raw)).endCell(),
});

/**
 * Version 1 of STON.fi on mainnet (https://docs.ston.fi/developer-section/dex/smart-contracts/v1). Its pools are of two
 * jettons.
 */
export const stonFi: PoolExchange = {
  name: 'ston-fi',
  markSeconds: 120,
  async findPool(client, seqno, master) {
    const walletOfRouter = (of: string): Promise<string | null> =>
      walletOf(client, seqno, of, STON_FI_ROUTER);
    const [coins, jettons] = await Promise.all([WRAPPED_COINS, master].map(walletOfRouter));
    if (!coins || !jettons || coins === jettons) return null;
    // A master could name the wallet of another jetton, and have its price.
    const { wallet } = await readJettonWallet(client, jettons, seqno);
    if (wallet?.master !== master || wallet.owner !== STON_FI_ROUTER) return null;
    const { value: pool } = await askContract(
      client,
      seqno,
      STON_FI_ROUTER,
      'get_pool_address',
      [coins, jettons].map(addressItem),
      stack => stack.readAddress().toRawString(),
    );
    if (pool === null) return null;
    return async (client, seqno) => {
      const { value } = await askContract(client, seqno, pool, 'get_pool_data', [], stack => {
        const reserves = [stack.readBigNumber(), stack.readBigNumber()] as const;
        return { reserves, wallets: [stack.readAddress().toRawString(), stack.readAddress().toRawString()] };
      });
      if (!value) return null;
      const place = value.wallets.indexOf(coins);
      if (place < 0 || value.wallets[1 - place] !== jettons) return null;
      return { coins: value.reserves[place]!, jettons: value.reserves[1 - place]! };
    };
  },
};
