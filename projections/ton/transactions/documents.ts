import type { JettonWallets } from '../../../contracts/chain/ton-jetton';
import type { TonTrace } from '../../../contracts/chain/ton-trace';
import type { KnownContracts } from '../../../contracts/chain/ton-verified-contracts';
import type { FinalStatus } from '../../../contracts/chain/ton-outcome';
import type { JsonObject } from '../../../contracts/json/json';
import type { TonNetwork } from '../../../contracts/network/network';
import type { CollectionSpec, Document } from '../../../contracts/ports/documents';
import type { Reached } from '../reached';

/** A transaction of one account. */
export type TonTransactionDocument = Document & {
  /** The key of the account. */
  account: string;
  /** Logical time, padded so that its text order is its numeric order. */
  lt: string;
  /** The masterchain block that was being read; null when only the backfill has published it. */
  seqno: number | null;
  /** 0 before the transaction is known. */
  decoder: number;
  /** Null, like its texts, when only its trace is known. */
  summary: TransactionSummary | null;
  /** JSON of the `TonTransaction`: only actions and the fold parse it. */
  transaction: string | null;
  /** JSON of the `StoredTransaction`, which pages send as it is. */
  row: string | null;
  jettonWallets: JettonWallets & JsonObject;
  contracts: KnownContracts & JsonObject;
  /** Null while no trace is known: none is published for a transaction that caused nothing. */
  trace: TraceSummary | null;
};

/** What a page needs of a transaction beside its row. */
export type TransactionSummary = {
  hash: string;
  /** Logical time of its predecessor. */
  prev: string;
  /** Unix seconds. */
  time: number;
  status: FinalStatus;
};

/** What the status of a transaction needs of its trace. */
export type TraceSummary = {
  /** Of its transaction. */
  hash: string;
  state: TonTrace['state'];
  failed: boolean;
  /** Messages whose transactions are known. */
  resolved: number;
};

/** How much of an account's chain is known. */
export type TonAccountDocument = Document & {
  network: TonNetwork;
  /** Raw. */
  address: string;
  /** Padded; null when the account has no transactions. */
  newest: string | null;
  /** Hash of the newest transaction. */
  hash: string | null;
} & Reached;

export const TRANSACTIONS: CollectionSpec = {
  name: 'ton_transactions',
  indexes: [
    {
      fields: [
        ['account', 'asc'],
        ['lt', 'desc'],
      ],
    },
  ],
};

export const ACCOUNTS: CollectionSpec = { name: 'ton_accounts', indexes: [] };

/** The logical time that the first transaction of an account names as that of its predecessor. */
export const NO_PREDECESSOR = '0';

/** A logical time is 64 bits: 20 digits. */
export function padLt(lt: string): string {
  return lt.padStart(20, '0');
}

export function transactionId(account: string, lt: string): string {
  return `${account}/${padLt(lt)}`;
}

/** The newest transaction that names something: `lt` padded, `seqno` null while only a backfill has published it. */
export interface LastMention {
  readonly lt: string;
  readonly seqno: number | null;
}

/** After one more record that names it, whatever their order. */
export function mentionedBy(
  known: LastMention | null,
  { lt: given, seqno }: { readonly lt: string; readonly seqno: number | null },
): LastMention {
  const lt = padLt(given);
  return { lt: known && known.lt > lt ? known.lt : lt, seqno: newerSeqno(known?.seqno ?? null, seqno) };
}

/** The newer of two masterchain blocks; null where a backfill does not know one. */
export function newerSeqno(a: number | null, b: number | null): number | null {
  return a === null || b === null ? (a ?? b) : Math.max(a, b);
}
