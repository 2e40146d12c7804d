import type { EnhancedTransaction } from '../../contracts/chain/solana-transaction';
import type { SolanaNetwork } from '../../contracts/network';
import type { Source } from '../../contracts/ports/documents';
import { movesToken, type Strand } from './unified';

/** What the unified history needs of Solana; has what it reads watched, and waits for a first page, as it sees fit. */
export interface SolanaHistory {
  /** Newest first; `before` is a signature, exclusive; `mint` leaves only what moves that token. */
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
  /** False when it was read although more was to be waited for. */
  readonly settled: boolean;
}

/** USDC, the token that wallets show beside SOL. */
export const USDC: Readonly<Record<SolanaNetwork, string>> = {
  mainnet: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
  devnet: 'Gh9ZwEmdLJ8DscKNTkTqPbNwLNNBjuSzaG9Vp2KGtKJr',
};

const MOST_PAGES = 5;

/** A strand, and whether all its pages were settled. */
type ReadStrand = Strand & Pick<SolanaPage, 'settled'>;

const strand = (kind: Strand['kind'], { items, settled }: SolanaPage, more: boolean): ReadStrand => ({
  kind,
  items: items.map(data => ({ type: 'solana', data })),
  more,
  settled,
});

export async function tokenStrand(
  solana: SolanaHistory,
  network: SolanaNetwork,
  tokenAccount: string,
  page: { limit: number; before: string | undefined; mint: string },
): Promise<ReadStrand> {
  const read = await solana.page(network, tokenAccount, page);
  return strand('solanaToken', read, read.items.length === page.limit);
}

/**
 * Transactions of an owner without those that move `except`, which the token's own strand tells of: with two places to
 * go on from, one transaction in both strands would come twice.
 */
export async function ownerStrand(
  solana: SolanaHistory,
  network: SolanaNetwork,
  owner: string,
  { limit, before, except }: { limit: number; before: string | undefined; except: string | null },
): Promise<ReadStrand> {
  const items: EnhancedTransaction[] = [];
  let from = before;
  let more = true;
  let settled = true;
  for (let pages = 0; more && items.length < limit && pages < MOST_PAGES; pages++) {
    const page = await solana.page(network, owner, { limit, before: from });
    items.push(...page.items.filter(item => except === null || !movesToken(item, except)));
    more = page.items.length === limit;
    settled &&= page.settled;
    from = page.items.at(-1)?.signature;
  }
  return strand('solana', { items: items.slice(0, limit), settled }, more || items.length > limit);
}
