import type { SolanaNetwork } from '../../contracts/network';
import type { Source } from '../../contracts/ports/documents';
import type { SolanaHistoryEntry } from '../../projections/solana/transactions/queries';
import { historyItem } from './pages';
import type { TimelineItem, TimelineSource } from './merge';

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
  readonly items: readonly SolanaHistoryEntry[];
  /** False when the wait ended although more was missing. */
  readonly complete: boolean;
}

const timelineItem = ({ signature, timestamp, mints, item }: SolanaHistoryEntry): TimelineItem => ({
  kind: 'solana',
  signature,
  mints,
  time: timestamp,
  served: () => historyItem('solana', item),
});

/**
 * The Solana side of a wallet's history: what mentions the owner or its token account, as `getSignaturesForAddress` lists
 * either, each transaction once; only what is older than all of `before`.
 */
export function solanaSource(
  solana: SolanaHistory,
  network: SolanaNetwork,
  accounts: readonly string[],
  before: readonly string[],
): TimelineSource {
  let older = before;
  return async limit => {
    const { items, complete } = await solana.page(network, accounts, { limit, before: older });
    const last = items.at(-1);
    if (last) older = [last.signature];
    return { items: items.map(timelineItem), more: items.length === limit || !complete, complete };
  };
}
