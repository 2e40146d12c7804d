import type { SolanaNetwork } from '../../contracts/network/network';
import { solanaTransactions } from '../../projections/solana/transactions/queries';
import type { AccountUse } from '../watch-account';

export const solanaAccountUse: AccountUse = {
  chain: 'solana',
  async hasTransaction(views, { network, address }) {
    return (await solanaTransactions(views).newest(network as SolanaNetwork, address)) !== null;
  },
  async isOnChain(clients, { network, address }) {
    const { value } = await clients.solana(network as SolanaNetwork).getAccount(address);
    return value.balance !== '0';
  },
};
