import type { TonTransaction } from '../../../contracts/chain/ton-transaction';
import { accountKey, type TonNetwork } from '../../../contracts/network';
import type { Source } from '../../../contracts/ports/documents';
import type { Views } from '../../views';
import {
  ACCOUNTS,
  padLt,
  TRANSACTIONS,
  type TonAccountDocument,
  type TonTransactionDocument,
} from './documents';

export interface TonHistoryQuery {
  readonly limit: number;
  /** Logical time to begin at, inclusive; default: the newest. */
  readonly from?: string | undefined;
}

export interface TonHistoryPage {
  /** Newest first and without a gap: each names the next as its predecessor. */
  readonly transactions: readonly TonTransaction[];
  /** The page has `limit` transactions, or ends at the account's first one. */
  readonly isFull: boolean;
}

export interface TonTransactions {
  page(network: TonNetwork, address: string, query: TonHistoryQuery): Promise<TonHistoryPage>;
  /** How much of an account is known; null before its first record. `newest` is a logical time. */
  account(
    network: TonNetwork,
    address: string,
  ): Promise<{ readonly newest: string | null; readonly backfilled: boolean } | null>;
  /** The documents that an account is read from. */
  sources(network: TonNetwork, address: string): readonly Source[];
  /** Resolves when something may have been added, or after `timeoutMs`. */
  waitForChange(timeoutMs: number): Promise<void>;
}

const key = (network: TonNetwork, address: string): string => accountKey({ chain: 'ton', network, address });

/** While a backfill runs there may be gaps: a page ends before the first one. */
function contiguous(transactions: readonly TonTransaction[]): readonly TonTransaction[] {
  const gap = transactions.findIndex(({ lt }, index) => index > 0 && transactions[index - 1]!.prev.lt !== lt);
  return gap < 0 ? transactions : transactions.slice(0, gap);
}

export function tonTransactions(views: Views): TonTransactions {
  return {
    async page(network, address, { limit, from }) {
      const { documents } = await views.find<TonTransactionDocument>(TRANSACTIONS.name, {
        filter: { account: key(network, address), ...(from !== undefined && { lt: { lte: padLt(from) } }) },
        order: [['lt', 'desc']],
        limit,
      });
      const transactions = contiguous(documents.map(({ transaction }) => transaction));
      return { transactions, isFull: transactions.length === limit || transactions.at(-1)?.prev.lt === '0' };
    },

    async account(network, address) {
      const found = await views.get<TonAccountDocument>(ACCOUNTS.name, key(network, address));
      return found && { newest: found.newest && String(BigInt(found.newest)), backfilled: found.backfilled };
    },

    sources(network, address) {
      const part = key(network, address);
      return [
        { collection: TRANSACTIONS.name, part },
        { collection: ACCOUNTS.name, part },
      ];
    },

    waitForChange: timeoutMs => views.waitForChange([TRANSACTIONS.name, ACCOUNTS.name], timeoutMs),
  };
}
