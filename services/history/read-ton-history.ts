import type {
  TonHistoryPage,
  TonHistoryQuery,
  TonTransactions,
} from '../../projections/ton/transactions/queries';
import type { TonNetwork } from '../../contracts/network/network';
import type { ReadList } from '../reads/read-list';
import type { TonAccount } from '../../contracts/account/ton-account';

/** An account, and the number of its watch; null where the account could not be watched, and what is known is served. */
export interface FollowedTonAccount extends TonAccount {
  readonly watch: number | null;
}

/** @throws Problem 503 when the page is not known whole after the wait */
export type ReadTonHistory = (
  account: FollowedTonAccount,
  query: TonHistoryQuery,
  readList: ReadList,
) => Promise<TonHistoryPage>;

interface Read {
  readonly page: TonHistoryPage;
  readonly isWhole: boolean;
  readonly isSettled: boolean;
}

/**
 * Reads a page once it is known whole: it has as many transactions as asked for, without a gap, or all there are. Of an account
 * that was forgotten and is watched again, those since then are missing at first, so that a page counts only from where the
 * backfill has read, or from where the caller has been. Waits also for what became of transactions that are shown, where only
 * the backfill has not read it, and for a transaction at `from`; without one that is a place like any other.
 * @param isIndexed whether the tail of a network has read all of its blocks; default: never
 */
export function readTonHistory(
  transactions: TonTransactions,
  isIndexed: (network: TonNetwork) => Promise<boolean> = async () => false,
): ReadTonHistory {
  return async ({ network, address, watch }, query, readList) => {
    const { page } = await readList('The history of the account', {
      async read(): Promise<Read> {
        // The account is read first, so that the page includes what the backfill has published.
        const known = await transactions.account(network, address);
        const page = await transactions.page(network, address, query);
        const { from } = query;
        const since = known?.knownSince(watch) ?? null;
        const isSince = (lt: string): boolean => since !== null && BigInt(lt) >= since;
        const [first, last] = [page.transactions[0], page.transactions.at(-1)];
        const reaches = from === undefined || BigInt(known?.newest ?? 0) >= BigInt(from);
        const isFollowed = watch === null || watch === 1;
        const isContiguous = isFollowed || (from !== undefined && first?.lt === from);
        const isWhole =
          (reaches || (await isIndexed(network))) &&
          (since === 0n || (page.isFull && (isContiguous || (last !== undefined && isSince(last.lt)))));
        return {
          page,
          isWhole,
          isSettled:
            reaches && page.transactions.every(({ status, lt }) => status !== 'pending' || isSince(lt)),
        };
      },
      isWhole: ({ isWhole }) => isWhole,
      isSettled: ({ isSettled }) => isSettled,
      waitForChange: (timeoutMs, signal) => transactions.waitForChange(network, address, timeoutMs, signal),
    });
    return page;
  };
}
