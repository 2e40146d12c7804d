import type { EnhancedTransaction } from '../../contracts/chain/solana-transaction';
import { kept } from '../../contracts/http/kept';
import type { SolanaNetwork } from '../../contracts/network';
import {
  SOLANA_TRANSACTION_COLLECTIONS,
  solanaPageSources,
  solanaTransactions,
  type SolanaTransactionsPage,
} from '../../projections/solana/transactions/queries';
import type { SolanaReadDeps } from './deps';
import { notReady, readUntil } from './waiting';

export interface ReadPage {
  readonly items: EnhancedTransaction[];
  /** False when it was read although more was to be waited for. */
  readonly settled: boolean;
}

/**
 * A page of an account's transactions. While its past is still being read, a page that is not full is waited for and
 * then served as it is.
 * @throws Problem 503 when nothing of the account's past could be read so far
 */
export async function readTransactions(
  deps: SolanaReadDeps,
  network: SolanaNetwork,
  address: string,
  page: SolanaTransactionsPage,
): Promise<ReadPage> {
  const transactions = solanaTransactions(deps.views);
  await deps.watch({ chain: 'solana', network, address });
  const { items, settled } = await readUntil(
    deps,
    SOLANA_TRANSACTION_COLLECTIONS,
    async () => {
      // The history is asked for first: what it promises is then in the page.
      const history = await transactions.history(network, address);
      const items = await transactions.page(network, address, page);
      return { items, settled: history !== null || items.length >= page.limit };
    },
    read => read.settled,
  );
  if (items.length === 0 && !settled && !(await transactions.newest(network, address)))
    throw notReady('The history of the account');
  return { items, settled };
}

/** The same as it was read before, while nothing of it has changed; the account is watched all the same. */
export async function transactionsPage(
  deps: SolanaReadDeps,
  network: SolanaNetwork,
  address: string,
  page: SolanaTransactionsPage,
): Promise<EnhancedTransaction[]> {
  await deps.watch({ chain: 'solana', network, address });
  const { before, until, mint } = page;
  const bounded = before !== undefined || until !== undefined;
  const { items } = await deps.views.answer(
    {
      asked: ['Solana transactions', network, address, page],
      of: solanaPageSources(network, address, { bounded, byMint: mint !== undefined }),
    },
    () => readTransactions(deps, network, address, page),
    ({ settled }) => settled,
  );
  return kept(items);
}
