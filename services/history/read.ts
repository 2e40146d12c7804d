import type {
  TonHistoryPage,
  TonHistoryQuery,
  TonTransactions,
} from '../../projections/ton/transactions/queries';
import type { TonAccount } from './account';

export interface TonHistoryDeps {
  readonly transactions: TonTransactions;
  /** Most milliseconds that a read waits for transactions that are on their way; default 2,500. */
  readonly patience?: number;
}

export interface ReadPage extends TonHistoryPage {
  /** False when it was read although more was to be waited for. */
  readonly settled: boolean;
}

export type ReadTonHistory = (
  account: TonAccount,
  query: TonHistoryQuery,
  signal: AbortSignal,
) => Promise<ReadPage>;

/**
 * Reads a page. The first read of an account, or one that begins at a transaction newer than the newest here, waits a
 * while; then it answers with what there is.
 */
export function readTonHistory({ transactions, patience = 2_500 }: TonHistoryDeps): ReadTonHistory {
  return async ({ network, address }, query, signal) => {
    const look = async (): Promise<ReadPage> => {
      const [page, known] = await Promise.all([
        transactions.page(network, address, query),
        transactions.account(network, address),
      ]);
      const reaches = query.from === undefined || BigInt(known?.newest ?? 0) >= BigInt(query.from);
      return { ...page, settled: reaches && (page.whole || known?.backfilled === true) };
    };

    let found = await look();
    for (const deadline = Date.now() + patience; !found.settled && !signal.aborted;) {
      const left = deadline - Date.now();
      if (left <= 0) break;
      const changed = transactions.changed(left);
      found = await look(); // it may have come just before the listening
      if (!found.settled) await changed;
    }
    return found;
  };
}
