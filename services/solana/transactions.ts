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
  /** True when the page ends before the history does: what is older is being read. */
  readonly isCut: boolean;
}

type Deps = Pick<SolanaReadDeps, 'views' | 'watch' | 'readOlder' | 'waitMs'>;

/**
 * A page of an account's transactions. While its history is being read, waits for a full page up to `waitMs`, then
 * returns what there is. A page that goes back further than the history was read makes the indexer read on; it ends where
 * something may be missing.
 * @throws Problem 503 when nothing of the account's history has been read so far
 */
export async function readTransactions(
  { views, watch, readOlder, waitMs }: Deps,
  network: SolanaNetwork,
  address: string,
  page: SolanaTransactionsPage,
): Promise<ReadPage> {
  const transactions = solanaTransactions(views);
  await watch({ chain: 'solana', network, address });
  let isRequested = false;
  const found = await readUntil({
    async read(): Promise<ReadPage> {
      // The history is read first, so that the page includes what it covers.
      const history = await transactions.history(network, address);
      const items = await transactions.page(network, address, page);
      const isFull = items.length >= page.limit;
      if (history === null) return { items, complete: isFull, isCut: false };
      const since = history.complete ? -1 : history.since;
      const known = items.filter(({ slot }) => slot > since);
      if (since < 0 || (isFull && known.length === items.length) || (await endsAfter(since)))
        return { items, complete: true, isCut: false };
      if (!isRequested) await readOlder(network, address, history.parts);
      isRequested = true;
      return { items: known, complete: false, isCut: true };
    },
    isDone: ({ complete }) => complete,
    waitForChange: timeoutMs => views.waitForChange(SOLANA_TRANSACTION_COLLECTIONS, timeoutMs),
    waitMs,
  });
  const { items, complete, isCut } = found;
  if (items.length === 0 && !complete && !isCut && !(await transactions.newest(network, address)))
    throw notReady('The history of the account');
  return found;

  /** True when only transactions after the slot are asked for. */
  async function endsAfter(slot: number): Promise<boolean> {
    const until = page.until === undefined ? null : await transactions.find(network, page.until);
    return until !== null && until.slot > slot;
  }
}

/**
 * As `readTransactions`, through the query cache. The account is watched also when the page is cached.
 * @throws Problem 503 also when the page would end before the history does, which its reader could not tell
 */
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
    async () => {
      const found = await readTransactions(deps, network, address, page);
      if (found.isCut) throw notReady('The older history of the account');
      return found;
    },
    ({ complete }) => complete,
  );
  return immutable(items);
}
