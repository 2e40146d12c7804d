import type { EnhancedTransaction } from '../../contracts/chain/solana-transaction';
import type { SolanaNetwork } from '../../contracts/network';
import {
  SOLANA_TRANSACTION_COLLECTIONS,
  solanaTransactions,
  type SolanaTransactionsPage,
} from '../../projections/solana-transactions/queries';
import type { SolanaReadDeps } from './deps';
import { notReady, readUntil } from './waiting';

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
): Promise<EnhancedTransaction[]> {
  const transactions = solanaTransactions(deps.views);
  await deps.watch({ chain: 'solana', network, address });
  const { items, history } = await readUntil(
    deps,
    SOLANA_TRANSACTION_COLLECTIONS,
    async () => ({
      // The history is asked for first: what it promises is then in the page.
      history: await transactions.history(network, address),
      items: await transactions.page(network, address, page),
    }),
    ({ items, history }) => history !== null || items.length >= page.limit,
  );
  if (items.length === 0 && !history && !(await transactions.newest(network, address)))
    throw notReady('The history of the account');
  return items;
}
