import type { TonContractSubject } from '../../../contracts/chain/ton-contract';
import type { TonNetworkSubject } from '../../../contracts/chain/ton-network-config';
import { accountKey, TON_NETWORKS, type TonNetwork } from '../../../contracts/network/network';
import type { ObservationSource, SubjectFormat } from '../../../contracts/observation/observation';

export const TON_SOURCE: ObservationSource<{ readonly network: TonNetwork }> = {
  name: 'ton',
  networks: TON_NETWORKS,
  chainOf: ({ network }) => ({ chain: 'ton', network }),
};

/** Of what accounts have staked. Its limits are its own: a wallet asks for a dozen pools at once, which are read at the same time. */
export const STAKING_SOURCE: typeof TON_SOURCE = { ...TON_SOURCE, name: 'ton-staking', maxConcurrent: 16 };

/** Members and pools that somebody made up delay no refresh of a stake. */
export const UNREAD_STAKING_SOURCE: typeof TON_SOURCE = { ...STAKING_SOURCE, name: 'ton-unread-staking' };

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

/**
 * Two addresses (raw), of which the account comes first, so that what an account has is one part of the collection.
 * @param what of an error: such as `jetton of an owner`
 */
export function subjectOfAccount<Account extends string, Other extends string>(
  account: Account,
  other: Other,
  what: string,
): SubjectFormat<TonNetworkSubject & Readonly<Record<Account | Other, string>>> {
  type Subject = TonNetworkSubject & Readonly<Record<Account | Other, string>>;
  return {
    format: (subject: Subject) =>
      `${contractSubject.format({ network: subject.network, address: subject[account] })}/${subject[other]}`,
    parse(text) {
      const [first = '', second] = text.split('/');
      if (!second) throw new Error(`not a ${what}: ${text}`);
      const { network, address } = contractSubject.parse(first);
      return { network, [account]: address, [other]: second } as unknown as Subject;
    },
  };
}
