import { SOLANA_ACCOUNT, type SolanaAccountObserved } from '../../contracts/chain/solana-observations';
import { accountKey, type SolanaNetwork } from '../../contracts/network';
import { observedProjection, type Observed } from '../observed';
import type { Views } from '../views';

export const SOLANA_ACCOUNTS = 'solana_accounts';

/** Balances as they were read. */
export const solanaAccountsProjection = observedProjection({
  name: 'solana-accounts',
  version: 1,
  kind: SOLANA_ACCOUNT,
  collection: SOLANA_ACCOUNTS,
});

export function solanaAccount(
  views: Views,
  network: SolanaNetwork,
  address: string,
): Promise<Observed<SolanaAccountObserved> | null> {
  return views.get(SOLANA_ACCOUNTS, accountKey({ chain: 'solana', network, address }));
}
