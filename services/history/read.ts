import type { Logger } from 'pino';
import type { AccountRef } from '../../contracts/network';
import type {
  TonHistoryPage,
  TonHistoryQuery,
  TonTransactions,
} from '../../projections/ton-transactions/queries';
import type { TonAccount } from './account';

export interface TonHistoryDeps {
  readonly transactions: TonTransactions;
  /** Has the account followed by the indexer of its chain. */
  readonly watch: (account: AccountRef) => Promise<void>;
  readonly logger: Logger;
  /** Most milliseconds that a read waits for transactions that are on their way; default 2,500. */
  readonly patience?: number;
}

export type ReadTonHistory = (
  account: TonAccount,
  query: TonHistoryQuery,
  signal: AbortSignal,
) => Promise<TonHistoryPage>;

/**
 * Reads a page, and has the account watched from now on. The first read of an account, or one that begins at a
 * transaction newer than the newest here, waits a while; then it answers with what there is.
 */
export function readTonHistory(deps: TonHistoryDeps): ReadTonHistory {
  const { transactions, watch, logger, patience = 2_500 } = deps;
  return async (account, query, signal) => {
    const { network, address } = account;
    watch(account).catch((error: unknown) => logger.error({ err: error, network, address }, 'not watched'));

    const look = async (): Promise<{ page: TonHistoryPage; settled: boolean }> => {
      const [page, known] = await Promise.all([
        transactions.page(network, address, query),
        transactions.account(network, address),
      ]);
      const reaches = query.from === undefined || BigInt(known?.newest ?? 0) >= BigInt(query.from);
      return { page, settled: reaches && (page.whole || known?.backfilled === true) };
    };

    let found = await look();
    for (const deadline = Date.now() + patience; !found.settled && !signal.aborted;) {
      const left = deadline - Date.now();
      if (left <= 0) break;
      const changed = transactions.changed(left);
      found = await look(); // it may have come just before the listening
      if (!found.settled) await changed;
    }
    return found.page;
  };
}
