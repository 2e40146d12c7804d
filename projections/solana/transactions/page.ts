import type { Finality } from '../../../contracts/chain/solana';
import type { Filter } from '../../../contracts/ports/documents';
import type { Views } from '../../views';
import {
  TOKEN_TRANSACTIONS,
  TRANSACTIONS,
  type Inclusion,
  type TokenTransactionDocument,
  type TransactionDocument,
} from './documents';

export interface SolanaTransactionsPage {
  readonly limit: number;
  /** Only older ones, exclusive. */
  readonly before?: ChainPlace | undefined;
  /** Only newer ones, exclusive. */
  readonly until?: ChainPlace | undefined;
  readonly mint?: string | undefined;
  readonly type?: string | undefined;
  readonly source?: string | undefined;
  /** Only finalized ones; default: confirmed ones too. */
  readonly finality?: Finality | undefined;
}

/**
 * A place in the chain: what is older has a chain order below `newerBound`, and what is newer one above `olderBound`. Where only
 * the slot is known, what is in the slot is both: it is better shown twice than never.
 */
export interface ChainPlace {
  readonly slot: number;
  readonly newerBound: number;
  readonly olderBound: number;
}

export const NEWEST_FIRST = [['chainOrder', 'desc']] as const;
/** Documents read at a time where only some of them match. */
export const PAGE_SIZE = 100;

/** The transactions of a page, newest first. @param account its key */
export async function readPage(
  views: Views,
  account: string,
  page: SolanaTransactionsPage,
): Promise<TransactionDocument[]> {
  const { limit, mint, type, source, finality } = page;
  const matches = (document: Inclusion): boolean =>
    (type === undefined || document.type === type) &&
    (source === undefined || document.source === source) &&
    (finality !== 'finalized' || document.finality === 'finalized');
  const filtered = type ?? source ?? finality;
  const size = filtered === undefined ? limit : PAGE_SIZE;
  const indexed = type !== undefined ? { type } : source !== undefined ? { source } : {};
  const pages =
    mint === undefined
      ? ofAccount(views, { account, mentioned: true, ...indexed, ...between(page) }, size)
      : ofMint(views, { account, mint, ...between(page) }, size);
  const found: TransactionDocument[] = [];
  for await (const documents of pages) {
    found.push(...documents.filter(matches));
    if (found.length >= limit) break;
  }
  return found.slice(0, limit);
}

/** The transactions strictly between two places, as a filter. */
function between({ before, until }: SolanaTransactionsPage): Filter {
  if (!before && !until) return {};
  return {
    chainOrder: { ...(before && { lt: before.newerBound }), ...(until && { gt: until.olderBound }) },
  };
}

async function* ofAccount(
  views: Views,
  filter: Filter,
  limit: number,
): AsyncGenerator<readonly TransactionDocument[]> {
  yield* views.scan<TransactionDocument>(TRANSACTIONS.name, { filter, order: NEWEST_FIRST, limit });
}

async function* ofMint(
  views: Views,
  filter: Filter,
  limit: number,
): AsyncGenerator<readonly TransactionDocument[]> {
  const query = { filter, order: NEWEST_FIRST, limit };
  for await (const page of views.scan<TokenTransactionDocument>(TOKEN_TRANSACTIONS.name, query)) {
    const ids = page.map(({ account, signature }) => `${account}/${signature}`);
    const found = await views.getMany<TransactionDocument>(TRANSACTIONS.name, ids);
    // After a fork the token's document may be of a block that no longer includes the transaction.
    yield page.flatMap(({ blockhash }, i) => {
      const transaction = found.get(ids[i]!);
      return transaction?.blockhash === blockhash ? [transaction] : [];
    });
  }
}
