import {
  SOLANA_ACCOUNT,
  SOLANA_SIGNATURE,
  SOLANA_TOKENS,
} from '../../../contracts/chain/solana-observations';
import type { Json } from '../../../contracts/json';
import type { SolanaNetwork } from '../../../contracts/network';
import type { Observers } from '../../observe';
import type { Endpoints } from '../endpoints';
import { observeAccount } from './account';
import { observeSignature } from './signature';
import { parseSubject } from './subject';
import { observeTokens } from './tokens';

/** The observers of the kinds of Solana, each asking the network that its subject names. */
export function solanaObservers(networks: Readonly<Record<SolanaNetwork, Endpoints>>): Observers {
  const observer = (
    minAge: number,
    read: (
      endpoints: Endpoints,
      id: string,
      network: SolanaNetwork,
    ) => Promise<{ height: number; data: unknown }>,
  ) => ({
    minAge,
    async observe(subject: string) {
      const { network, id } = parseSubject(subject);
      const { height, data } = await read(networks[network], id, network);
      return { height, data: data as Json };
    },
  });
  return {
    [SOLANA_ACCOUNT]: observer(1_000, observeAccount),
    [SOLANA_SIGNATURE]: observer(1_000, observeSignature),
    [SOLANA_TOKENS]: observer(1_000, (endpoints, owner, network) => observeTokens(endpoints, network, owner)),
  };
}
