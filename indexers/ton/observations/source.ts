import type { TonContractSubject } from '../../../contracts/chain/ton-contract';
import { accountKey, TON_NETWORKS } from '../../../contracts/network';
import type { SubjectFormat } from '../../../contracts/observation';

/** `ton:mainnet:` and the raw address, the key of the account. */
export const accountSubject: SubjectFormat<TonContractSubject> = {
  format: ({ network, address }) => accountKey({ chain: 'ton', network, address }),
  parse(text) {
    const [, name, address] = /^ton:(\w+):(-?\d+:[0-9a-f]{64})$/.exec(text) ?? [];
    const network = TON_NETWORKS.find(known => known === name);
    if (!network || address === undefined) throw new Error(`not a ton account: ${text}`);
    return { network, address };
  },
};
