import { accountKey, type SolanaNetwork } from '../../contracts/network';

export const solanaAccountKey = (network: SolanaNetwork, address: string): string =>
  accountKey({ chain: 'solana', network, address });
