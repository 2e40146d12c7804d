import type { EnhancedTransaction } from '../../contracts/chain/solana-transaction';
import type { SolanaNetwork } from '../../contracts/network';
import type { Source } from '../../contracts/ports/documents';
import type { TimelineSource } from './merge';

/** The Solana history that the merged one reads. Implementations watch the accounts, and wait for a first page. */
export interface SolanaHistory {
  /** Transactions that mention any of the accounts, each once, newest first; only what is older than all of `before`. */
  page(
    network: SolanaNetwork,
    accounts: readonly string[],
    page: { readonly limit: number; readonly before: readonly string[] },
  ): Promise<SolanaPage>;
  /** Where pages of the accounts are read; `bounded` when they begin at a signature. */
  sources(
    network: SolanaNetwork,
    account: string,
    page: { readonly bounded: boolean; readonly byMint: boolean },
  ): readonly Source[];
}

interface SolanaPage {
  readonly items: readonly EnhancedTransaction[];
  /** False when the wait ended although more was missing. */
  readonly complete: boolean;
}

/**
 * The Solana side of a wallet's history: what mentions the owner or its token account, as `getSignaturesForAddress` lists
 * either, each transaction once.
 */
export async function solanaSource(
  solana: SolanaHistory,
  network: SolanaNetwork,
  accounts: readonly string[],
  page: { readonly limit: number; readonly before: readonly string[] },
): Promise<TimelineSource & Pick<SolanaPage, 'complete'>> {
  const { items, complete } = await solana.page(network, accounts, page);
  return {
    kind: 'solana',
    items: items.map(data => ({ type: 'solana', data })),
    more: items.length === page.limit || !complete,
    complete,
  };
}
