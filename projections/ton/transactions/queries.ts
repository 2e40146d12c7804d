import type { FinalStatus } from '../../../contracts/chain/ton-outcome';
import type { TonTransaction } from '../../../contracts/chain/ton-transaction';
import type { StoredTransaction } from '../../../contracts/http/history/stored-transaction';
import { JsonText } from '../../../contracts/json/json-text';
import { accountKey, type TonNetwork } from '../../../contracts/network/network';
import type { Source } from '../../../contracts/ports/documents';
import { perDocument } from '../../per-document';
import type { Views } from '../../views';
import { knownSince } from '../reached';
import {
  ACCOUNTS,
  NO_PREDECESSOR,
  padLt,
  TRANSACTIONS,
  transactionId,
  type TonAccountDocument,
  type TonTransactionDocument,
  type TransactionSummary,
} from './documents';
import type { TonHistoryTransaction } from './stored-transaction';
import { readJson } from '../../../contracts/json/read-json';

export interface TonHistoryQuery {
  readonly limit: number;
  /** Logical time to begin at, inclusive; default: the newest. */
  readonly from?: string | undefined;
}

/** A transaction of a page. */
export interface TonHistoryEntry extends Readonly<TransactionSummary> {
  readonly lt: string;
  /** The masterchain block that was being read; null when only the backfill has published it. */
  readonly seqno: number | null;
  /** As it is served. */
  readonly row: JsonText<StoredTransaction>;
  /** Parses the transaction, which a page of rows does not need. */
  decoded(): TonHistoryTransaction;
}

export interface TonHistoryPage {
  /**
   * Newest first and without a gap: each names the next as its predecessor, or none. The chain forgets an account that is
   * deleted: the next transaction of its address has no predecessor.
   */
  readonly transactions: readonly TonHistoryEntry[];
  /** The page has `limit` transactions. */
  readonly isFull: boolean;
  /** There are older ones: stored, or named by the last one as its predecessor. */
  readonly hasMore: boolean;
}

export interface TonTransactions {
  page(network: TonNetwork, address: string, query: TonHistoryQuery): Promise<TonHistoryPage>;
  /** Those of an account's transactions at logical times that are known. */
  withLts(
    network: TonNetwork,
    address: string,
    lts: readonly string[],
  ): Promise<readonly TonHistoryTransaction[]>;
  /** The final status of a transaction; null while the transaction is not known. */
  status(network: TonNetwork, address: string, lt: string): Promise<FinalStatus | null>;
  /** How much of an account is known; null before its first record. */
  account(network: TonNetwork, address: string): Promise<KnownTonAccount | null>;
  /** The documents that an account is read from. */
  sources(network: TonNetwork, address: string): readonly Source[];
  /** Resolves when something of the account may have been added, after `timeoutMs`, or when the signal fires. */
  waitForChange(network: TonNetwork, address: string, timeoutMs: number, signal?: AbortSignal): Promise<void>;
}

export interface KnownTonAccount {
  /** Logical time of its newest known transaction. */
  readonly newest: string | null;
  /** As `knownSince` of what is reached. */
  knownSince(watch: number | null): bigint | null;
}

function knownAccount({ newest, ...reached }: TonAccountDocument): KnownTonAccount {
  return { newest: newest && String(BigInt(newest)), knownSince: watch => knownSince(reached, watch) };
}

const key = (network: TonNetwork, address: string): string => accountKey({ chain: 'ton', network, address });

type KnownTransaction = TonTransactionDocument & {
  summary: TransactionSummary;
  transaction: string;
  row: string;
};

/** Not when only its trace is known. */
const isKnown = (document: TonTransactionDocument): document is KnownTransaction => document.summary !== null;

/** Field by field: spreading the summary takes forty times as long. */
const entryOf = perDocument(
  ({
    lt,
    seqno,
    summary,
    row,
    transaction,
    jettonWallets,
    contracts,
  }: KnownTransaction): TonHistoryEntry => ({
    lt: String(BigInt(lt)),
    seqno,
    hash: summary.hash,
    prev: summary.prev,
    time: summary.time,
    status: summary.status,
    row: new JsonText(row),
    decoded: () => ({
      ...(readJson(transaction) as TonTransaction),
      jettonWallets,
      contracts,
      status: summary.status,
    }),
  }),
);

/** While a backfill runs there may be gaps: a page ends before the first one. */
function contiguous(transactions: readonly TonHistoryEntry[]): readonly TonHistoryEntry[] {
  const gap = transactions.findIndex(({ lt }, index) => {
    const named = index === 0 ? lt : transactions[index - 1]!.prev;
    return named !== lt && named !== NO_PREDECESSOR;
  });
  return gap < 0 ? transactions : transactions.slice(0, gap);
}

export function tonTransactions(views: Views): TonTransactions {
  const sources: TonTransactions['sources'] = (network, address) => {
    const part = key(network, address);
    return [
      { collection: TRANSACTIONS.name, part },
      { collection: ACCOUNTS.name, part },
    ];
  };

  return {
    async page(network, address, { limit, from }) {
      const { documents } = await views.find<TonTransactionDocument>(TRANSACTIONS.name, {
        filter: { account: key(network, address), ...(from !== undefined && { lt: { lte: padLt(from) } }) },
        order: [['lt', 'desc']],
        limit: limit + 1,
      });
      const found = contiguous(documents.filter(isKnown).map(entryOf));
      const transactions = found.slice(0, limit);
      const last = transactions.at(-1);
      return {
        transactions,
        isFull: transactions.length === limit,
        hasMore: found.length > limit || (last !== undefined && last.prev !== NO_PREDECESSOR),
      };
    },

    async withLts(network, address, lts) {
      const ids = lts.map(lt => transactionId(key(network, address), lt));
      const found = await views.getMany<TonTransactionDocument>(TRANSACTIONS.name, ids);
      return [...found.values()].filter(isKnown).map(document => entryOf(document).decoded());
    },

    async status(network, address, lt) {
      const id = transactionId(key(network, address), lt);
      const found = await views.get<TonTransactionDocument>(TRANSACTIONS.name, id);
      return found?.summary?.status ?? null;
    },

    async account(network, address) {
      const found = await views.get<TonAccountDocument>(ACCOUNTS.name, key(network, address));
      return found && knownAccount(found);
    },

    sources,

    waitForChange: (network, address, timeoutMs, signal) =>
      views.waitForChange(sources(network, address), timeoutMs, signal),
  };
}
