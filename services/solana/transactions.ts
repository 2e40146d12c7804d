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
 * A page of an account's transactions. While its history is being read, waits for a full page up to `waitMs`, then
 * returns what there is.
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
      // The history is read first, so that the page includes what it covers.
      const history = await transactions.history(network, address);
      const items = await transactions.page(network, address, page);
      return { items, complete: history !== null || items.length >= page.limit };
    },
    isDone: ({ complete }) => complete,
    waitForChange: timeoutMs => views.waitForChange(SOLANA_TRANSACTION_COLLECTIONS, timeoutMs),
    waitMs,
  });
  const { items, complete } = found;
  if (items.length === 0 && !complete && !(await transactions.newest(network, address)))
    throw notReady('The history of the account');
  return found;
}

/** As `readTransactions`, through the query cache. The account is watched also when the page is cached. */
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
