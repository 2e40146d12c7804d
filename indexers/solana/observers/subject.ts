import { SOLANA_NETWORKS, type SolanaNetwork } from '../../../contracts/network';

/** Takes `solana:mainnet:<address or signature>` apart. @throws Error when it is of another form. */
export function parseSubject(subject: string): { network: SolanaNetwork; id: string } {
  const [chain, name, id] = subject.split(':');
  const network = SOLANA_NETWORKS.find(known => known === name);
  if (chain !== 'solana' || !network || !id) throw new Error(`not a solana subject: ${subject}`);
  return { network, id };
}
