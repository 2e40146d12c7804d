import type {
  TonHistoryPage,
  TonHistoryQuery,
  TonTransactions,
} from '../../projections/ton/transactions/queries';
import { readUntil, type WaitLimit } from '../read-until';
import type { TonAccount } from '../ton-account';

export interface TonHistoryDeps {
  readonly transactions: TonTransactions;
  /** Milliseconds that a read waits for transactions that are missing; default 2,500. */
  readonly waitMs?: number;
  /** Default: any number of reads may wait. */
  readonly waitLimit?: WaitLimit;
}

export interface ReadPage extends TonHistoryPage {
  /** False when the wait ended although more was missing. */
  readonly complete: boolean;
}

export type ReadTonHistory = (
  account: TonAccount,
  query: TonHistoryQuery,
  signal: AbortSignal,
) => Promise<ReadPage>;

/**
 * Reads a page. While the account's history is incomplete, or its newest known transaction is older than the requested
 * one, waits up to `waitMs`; then returns what there is.
 */
export function readTonHistory({ transactions, waitMs, waitLimit }: TonHistoryDeps): ReadTonHistory {
  return ({ network, address }, query, signal) =>
    readUntil({
      async read(): Promise<ReadPage> {
        const [page, known] = await Promise.all([
          transactions.page(network, address, query),
          transactions.account(network, address),
        ]);
        const reaches = query.from === undefined || BigInt(known?.newest ?? 0) >= BigInt(query.from);
        return { ...page, complete: reaches && (page.isFull || known?.backfilled === true) };
      },
      isDone: ({ complete }) => complete,
      waitForChange: timeoutMs => transactions.waitForChange(network, address, timeoutMs),
      waitMs,
      waitLimit,
      signal,
    });
}
