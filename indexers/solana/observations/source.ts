import type { SolanaAccountSubject } from '../../../contracts/chain/solana-observations';
import { accountKey, SOLANA_NETWORKS, type SolanaNetwork } from '../../../contracts/network/network';
import type { ObservationSource, SubjectFormat } from '../../../contracts/observation/observation';

export const SOLANA_SOURCE: ObservationSource<{ readonly network: SolanaNetwork }> = {
  name: 'solana',
  networks: SOLANA_NETWORKS,
  chainOf: ({ network }) => ({ chain: 'solana', network }),
};

/** `solana:mainnet:` and the address, the key of the account. */
export const accountSubject: SubjectFormat<SolanaAccountSubject> = {
  format: ({ network, address }) => accountKey({ chain: 'solana', network, address }),
  parse(text) {
    const { network, id } = parseSolanaSubject(text);
    return { network, address: id };
  },
};

/** Splits `solana:mainnet:` and an address or signature. @throws Error when it is of another form */
export function parseSolanaSubject(text: string): { readonly network: SolanaNetwork; readonly id: string } {
  const [chain, name, id] = text.split(':');
  const network = SOLANA_NETWORKS.find(known => known === name);
  if (chain !== 'solana' || !network || !id) throw new Error(`not a solana subject: ${text}`);
  return { network, id };
}
