import { SOLANA_TOKENS as KIND, type SolanaTokensObserved } from '../../contracts/chain/solana-observations';
import { accountKey, type SolanaNetwork } from '../../contracts/network';
import { observedProjection, type Observed } from '../observed';
import type { Views } from '../views';

export const SOLANA_TOKENS = 'solana_tokens';

/** The tokens of owners as they were read. */
export const solanaTokensProjection = observedProjection({
  name: 'solana-tokens',
  version: 1,
  kind: KIND,
  collection: SOLANA_TOKENS,
});

export function solanaTokens(
  views: Views,
  network: SolanaNetwork,
  owner: string,
): Promise<Observed<SolanaTokensObserved> | null> {
  return views.get(SOLANA_TOKENS, accountKey({ chain: 'solana', network, address: owner }));
}
