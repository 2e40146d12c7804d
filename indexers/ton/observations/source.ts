import type { TonContractSubject } from '../../../contracts/chain/ton-contract';
import type { TonNetworkSubject } from '../../../contracts/chain/ton-network-config';
import { accountKey, TON_NETWORKS, type TonNetwork } from '../../../contracts/network/network';
import type { ObservationSource, SubjectFormat } from '../../../contracts/observation/observation';

export const TON_SOURCE: ObservationSource<{ readonly network: TonNetwork }> = {
  name: 'ton',
  networks: TON_NETWORKS,
  chainOf: ({ network }) => ({ chain: 'ton', network }),
};

/** `ton:mainnet`. */
export const networkSubject: SubjectFormat<TonNetworkSubject> = {
  format: ({ network }) => `ton:${network}`,
  parse(text) {
    const network = TON_NETWORKS.find(known => text === `ton:${known}`);
    if (!network) throw new Error(`not a TON network: ${text}`);
    return { network };
  },
};

/** `ton:mainnet:` and the raw address, the key of the account. */
export const contractSubject: SubjectFormat<TonContractSubject> = {
  format: ({ network, address }) => accountKey({ chain: 'ton', network, address }),
  parse(text) {
    const [chain, name, ...address] = text.split(':');
    const network = TON_NETWORKS.find(known => known === name);
    if (chain !== 'ton' || !network || address.length !== 2) throw new Error(`not a TON account: ${text}`);
    return { network, address: address.join(':') };
  },
};

/** Servers that anyone may have named: slow ones delay each other, and no chain. */
export const PUBLIC_WEB: ObservationSource = { name: 'public-web', maxConcurrent: 16 };
