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

/** The kinds of Solana, and the milliseconds that are to pass before one thing is read again. */
export const SOLANA_OBSERVED = {
  [SOLANA_ACCOUNT]: { minAge: 1_000 },
  [SOLANA_SIGNATURE]: { minAge: 1_000 },
  [SOLANA_TOKENS]: { minAge: 1_000 },
} as const;

/** The observers of the kinds of Solana, each asking the network that its subject names. */
export function solanaObservers(networks: (network: SolanaNetwork) => Endpoints): Observers {
  const observer = (
    kind: keyof typeof SOLANA_OBSERVED,
    read: (
      endpoints: Endpoints,
      id: string,
      network: SolanaNetwork,
    ) => Promise<{ height: number; data: unknown }>,
  ) => ({
    ...SOLANA_OBSERVED[kind],
    async observe(subject: string) {
      const { network, id } = parseSubject(subject);
      const { height, data } = await read(networks(network), id, network);
      return { height, data: data as Json };
    },
  });
  return {
    [SOLANA_ACCOUNT]: observer(SOLANA_ACCOUNT, observeAccount),
    [SOLANA_SIGNATURE]: observer(SOLANA_SIGNATURE, observeSignature),
    [SOLANA_TOKENS]: observer(SOLANA_TOKENS, (endpoints, owner, network) =>
      observeTokens(endpoints, network, owner),
    ),
  };
}
