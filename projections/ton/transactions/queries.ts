import type { JettonWallets } from '../../../contracts/chain/ton-jetton';
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

/** A transaction, and what the masters said of the jetton wallets that it names. */
export interface TonHistoryTransaction extends TonTransaction {
  readonly jettonWallets: JettonWallets;
}

export interface TonHistoryPage {
  /**
   * Newest first and without a gap: each names the next as its predecessor, or none. The chain forgets an account that is
   * deleted: the next transaction of its address has no predecessor.
   */
  readonly transactions: readonly TonHistoryTransaction[];
  /** The page has `limit` transactions. */
  readonly isFull: boolean;
  /** There are older ones: stored, or named by the last one as its predecessor. */
  readonly hasMore: boolean;
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

/** Before the first transaction of an account, and after its deletion. */
const NO_PREDECESSOR = '0';

/** While a backfill runs there may be gaps: a page ends before the first one. */
function contiguous(transactions: readonly TonHistoryTransaction[]): readonly TonHistoryTransaction[] {
  const gap = transactions.findIndex(({ lt }, index) => {
    const named = index === 0 ? lt : transactions[index - 1]!.prev.lt;
    return named !== lt && named !== NO_PREDECESSOR;
  });
  return gap < 0 ? transactions : transactions.slice(0, gap);
}

export function tonTransactions(views: Views): TonTransactions {
  return {
    async page(network, address, { limit, from }) {
      const { documents } = await views.find<TonTransactionDocument>(TRANSACTIONS.name, {
        filter: { account: key(network, address), ...(from !== undefined && { lt: { lte: padLt(from) } }) },
        order: [['lt', 'desc']],
        limit: limit + 1,
      });
      const found = contiguous(
        documents.map(({ transaction, jettonWallets }) => ({ ...transaction, jettonWallets })),
      );
      const transactions = found.slice(0, limit);
      const last = transactions.at(-1);
      return {
        transactions,
        isFull: transactions.length === limit,
        hasMore: found.length > limit || (last !== undefined && last.prev.lt !== NO_PREDECESSOR),
      };
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
