import type { EnhancedTransaction } from '../../contracts/chain/solana-transaction';
import { immutable } from '../../contracts/http/immutable-response';
import type { SolanaNetwork } from '../../contracts/network';
import {
  SOLANA_TRANSACTION_COLLECTIONS,
  solanaPageSources,
  solanaTransactions,
  type SolanaTransactionsPage,
} from '../../projections/solana/transactions/queries';
import { readUntil } from '../read-until';
import { notReady, type SolanaReadDeps } from './deps';

export interface ReadPage {
  readonly items: EnhancedTransaction[];
  /** False when the wait ended although more was missing. */
  readonly complete: boolean;
}

/**
 * A page of an account's transactions. While its history is being read, a page that is not full is waited for and then
 * served as it is.
 * @throws Problem 503 when nothing of the account's history has been read so far
 */
export async function readTransactions(
  { views, watch, waitMs }: Pick<SolanaReadDeps, 'views' | 'watch' | 'waitMs'>,
  network: SolanaNetwork,
  address: string,
  page: SolanaTransactionsPage,
): Promise<ReadPage> {
  const transactions = solanaTransactions(views);
  await watch({ chain: 'solana', network, address });
  const found = await readUntil({
    async read(): Promise<ReadPage> {
      // The history first: what it promises is then in the page.
      const history = await transactions.history(network, address);
      const items = await transactions.page(network, address, page);
      return { items, complete: history !== null || items.length >= page.limit };
    },
    isDone: ({ complete }) => complete,
    changed: timeoutMs => views.changed(SOLANA_TRANSACTION_COLLECTIONS, timeoutMs),
    waitMs,
  });
  const { items, complete } = found;
  if (items.length === 0 && !complete && !(await transactions.newest(network, address)))
    throw notReady('The history of the account');
  return found;
}

/** The same from the query cache while none of its documents has changed; the account is watched all the same. */
export async function transactionsPage(
  deps: SolanaReadDeps,
  network: SolanaNetwork,
  address: string,
  page: SolanaTransactionsPage,
): Promise<EnhancedTransaction[]> {
  await deps.watch({ chain: 'solana', network, address });
  const { before, until, mint } = page;
  const bounded = before !== undefined || until !== undefined;
  const { items } = await deps.views.cached(
    {
      key: ['Solana transactions', network, address, page],
      sources: solanaPageSources(network, address, { bounded, byMint: mint !== undefined }),
    },
    () => readTransactions(deps, network, address, page),
    ({ complete }) => complete,
  );
  return immutable(items);
}
