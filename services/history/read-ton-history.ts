import type {
  TonHistoryPage,
  TonHistoryQuery,
  TonTransactions,
} from '../../projections/ton/transactions/queries';
import type { AnyCall } from '../http/call';
import { readUntil, type WaitLimit } from '../read-until';
import type { TonAccount } from '../ton-account';

export interface TonHistoryDeps {
  readonly transactions: TonTransactions;
  /** Milliseconds that a read waits for transactions that are missing; default 2,500. */
  readonly waitMs?: number;
  /** Default: any number of reads may wait. */
  readonly waitLimit?: WaitLimit;
}

/** An account, and the number of its watch; null where the account could not be watched, and what is known is served. */
export interface FollowedTonAccount extends TonAccount {
  readonly watch: number | null;
}

export interface ReadPage extends TonHistoryPage {
  /** False when the wait ended although more was missing. */
  readonly complete: boolean;
}

/** For a call; its signal is made only when the read has to wait. */
export type ReadTonHistory = (
  account: FollowedTonAccount,
  query: TonHistoryQuery,
  call: Pick<AnyCall, 'signal'>,
) => Promise<ReadPage>;

/**
 * Reads a page. While the account's history is incomplete, or its newest known transaction is older than the requested
 * one, waits up to `waitMs`; then returns what there is. Of an account that was forgotten and is watched again, the newest
 * transactions may be missing until the backfill has ended: a page that begins before them is empty.
 */
export function readTonHistory({ transactions, waitMs, waitLimit }: TonHistoryDeps): ReadTonHistory {
  return ({ network, address, watch }, query, call) =>
    readUntil({
      async read(): Promise<ReadPage> {
        // The account is read first, so that the page includes what the backfill has published.
        const known = await transactions.account(network, address);
        const page = await transactions.page(network, address, query);
        const { from } = query;
        const reaches = from === undefined || BigInt(known?.newest ?? 0) >= BigInt(from);
        const isBackfilled = (known?.backfilled ?? 0) >= (watch ?? 1);
        if (isBackfilled || watch === null || watch === 1)
          return { ...page, complete: reaches && (page.isFull || isBackfilled) };
        const beginsThere = from !== undefined && page.transactions[0]?.lt === from;
        if (from === undefined || beginsThere) return { ...page, complete: beginsThere && page.isFull };
        return { transactions: [], isFull: false, hasMore: true, complete: false };
      },
      isDone: ({ complete }) => complete,
      waitForChange: timeoutMs => transactions.waitForChange(network, address, timeoutMs),
      waitMs,
      waitLimit,
      get signal() {
        return call.signal;
      },
    });
}
