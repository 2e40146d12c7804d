import type { EnhancedTransaction } from '../../contracts/chain/solana-transaction';
import type { SolanaNetwork } from '../../contracts/network';
import type { Source } from '../../contracts/ports/documents';
import { movesToken, type TimelineSource } from './merge';

/** The Solana history that the merged one reads. Implementations watch the accounts, and wait for a first page. */
export interface SolanaHistory {
  /** Newest first; `before` is a signature, exclusive; `mint`: only those that move that token. */
  page(
    network: SolanaNetwork,
    address: string,
    page: {
      readonly limit: number;
      readonly before?: string | undefined;
      readonly mint?: string | undefined;
    },
  ): Promise<SolanaPage>;
  /** Where pages of an account are read; `bounded` when they begin at a signature. */
  sources(
    network: SolanaNetwork,
    address: string,
    page: { readonly bounded: boolean; readonly byMint: boolean },
  ): readonly Source[];
}

interface SolanaPage {
  readonly items: readonly EnhancedTransaction[];
  /** False when the wait ended although more was missing. */
  readonly complete: boolean;
}

const MAX_PAGES = 5;

/** A source, and whether all its pages are complete. */
type SolanaSource = TimelineSource & Pick<SolanaPage, 'complete'>;

const sourceOf = (
  kind: TimelineSource['kind'],
  { items, complete }: SolanaPage,
  more: boolean,
): SolanaSource => ({
  kind,
  items: items.map(data => ({ type: 'solana', data })),
  more,
  complete,
});

export async function tokenSource(
  solana: SolanaHistory,
  network: SolanaNetwork,
  tokenAccount: string,
  page: { limit: number; before: string | undefined; mint: string },
): Promise<SolanaSource> {
  const read = await solana.page(network, tokenAccount, page);
  return sourceOf('solanaToken', read, read.items.length === page.limit || !read.complete);
}

/**
 * Transactions of an owner without those that move the mint `except`: those are in the source of the token, and would
 * otherwise be listed twice.
 */
export async function ownerSource(
  solana: SolanaHistory,
  network: SolanaNetwork,
  owner: string,
  { limit, before, except }: { limit: number; before: string | undefined; except: string | null },
): Promise<SolanaSource> {
  const items: EnhancedTransaction[] = [];
  let from = before;
  let more = true;
  let complete = true;
  for (let pages = 0; more && items.length < limit && pages < MAX_PAGES; pages++) {
    const page = await solana.page(network, owner, { limit, before: from });
    items.push(...page.items.filter(item => except === null || !movesToken(item, except)));
    more = page.items.length === limit;
    complete &&= page.complete;
    from = page.items.at(-1)?.signature;
  }
  const hasMore = more || !complete || items.length > limit;
  return sourceOf('solana', { items: items.slice(0, limit), complete }, hasMore);
}
