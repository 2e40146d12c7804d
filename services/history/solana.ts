import type { EnhancedTransaction } from '../../contracts/chain/solana-transaction';
import type { SolanaNetwork } from '../../contracts/network';
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
  ): Promise<readonly EnhancedTransaction[]>;
}

/** USDC, the token that wallets show beside SOL. */
export const USDC: Readonly<Record<SolanaNetwork, string>> = {
  mainnet: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
  devnet: 'Gh9ZwEmdLJ8DscKNTkTqPbNwLNNBjuSzaG9Vp2KGtKJr',
};

const MOST_PAGES = 5;

const strand = (kind: Strand['kind'], items: readonly EnhancedTransaction[], more: boolean): Strand => ({
  kind,
  items: items.map(data => ({ type: 'solana', data })),
  more,
});

export async function tokenStrand(
  solana: SolanaHistory,
  network: SolanaNetwork,
  tokenAccount: string,
  page: { limit: number; before: string | undefined; mint: string },
): Promise<Strand> {
  const items = await solana.page(network, tokenAccount, page);
  return strand('solanaToken', items, items.length === page.limit);
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
): Promise<Strand> {
  const items: EnhancedTransaction[] = [];
  let from = before;
  let more = true;
  for (let pages = 0; more && items.length < limit && pages < MOST_PAGES; pages++) {
    const page = await solana.page(network, owner, { limit, before: from });
    items.push(...page.filter(item => except === null || !movesToken(item, except)));
    more = page.length === limit;
    from = page.at(-1)?.signature;
  }
  return strand('solana', items.slice(0, limit), more || items.length > limit);
}
