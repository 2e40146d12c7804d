import type { SolanaNetwork } from '../../contracts/network/network';
import type { Source } from '../../contracts/ports/documents';
import type { SolanaHistoryEntry } from '../../projections/solana/transactions/queries';
import type { ReadList } from '../reads/read-list';
import type { Reader } from '../watch-account';
import { historyItem } from './pages';
import type { TimelineItem, TimelineSource } from './merge';

/** A signature, only what is older than which is asked for. */
export interface SolanaBefore {
  readonly signature: string;
  /** Where the request has it. */
  readonly pointer: string;
}

/** What a call reads with. */
export interface SolanaReading {
  readonly readList: ReadList;
  readonly reader: Reader;
}

/** The Solana history that the merged one reads. Implementations watch the accounts. */
export interface SolanaHistory {
  /**
   * Transactions that mention any of the accounts, each once, newest first; only what is older than all of `before`.
   * @throws Problem 503 when something of the page is missing; 400 when no transaction has one of these signatures
   */
  page(
    network: SolanaNetwork,
    accounts: readonly string[],
    page: { readonly limit: number; readonly before: readonly SolanaBefore[] },
    reading: SolanaReading,
  ): Promise<readonly SolanaHistoryEntry[]>;
  /** Where pages of the accounts are read; `bounded` when they begin at a signature. */
  sources(
    network: SolanaNetwork,
    account: string,
    page: { readonly bounded: boolean; readonly byMint: boolean },
  ): readonly Source[];
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
  before: readonly SolanaBefore[],
  reading: SolanaReading,
): TimelineSource {
  let older = before;
  return async limit => {
    const items = await solana.page(network, accounts, { limit, before: older }, reading);
    const last = items.at(-1);
    if (last) older = [{ signature: last.signature, pointer: '/body/cursor' }];
    return { items: items.map(timelineItem), more: items.length === limit };
  };
}
