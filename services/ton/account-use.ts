import type { TonNetwork } from '../../contracts/network/network';
import { tonTransactions } from '../../projections/ton/transactions/queries';
import type { AccountUse } from '../watch-account';

export const tonAccountUse: AccountUse = {
  chain: 'ton',
  async hasTransaction(views, { network, address }) {
    const known = await tonTransactions(views).account(network as TonNetwork, address);
    return known !== null && known.newest !== null;
  },
  async isOnChain(clients, { network, address }) {
    const client = clients.ton(network as TonNetwork);
    const { seqno } = await client.getLastBlock();
    const { balance, lastTransaction } = await client.getAccountLite(seqno, address);
    return balance > 0n || lastTransaction !== null;
  },
};
