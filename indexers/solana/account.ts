import { accountKey, type SolanaNetwork } from '../../contracts/network';

export function solanaAccountKey(network: SolanaNetwork, address: string): string {
  return accountKey({ chain: 'solana', network, address });
}
