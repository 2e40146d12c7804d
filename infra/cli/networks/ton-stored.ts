import { TON_MESSAGE_VERSION } from '../../../contracts/chain/ton';
import type { TonTransaction, TransactionRef } from '../../../contracts/chain/ton-transaction';
import { readJson } from '../../../contracts/json/read-json';
import { accountKey, type TonNetwork } from '../../../contracts/network/network';
import type { NewMessage } from '../../../contracts/ports/log';
import { newMessage } from '../../../indexers/ton/records';
import type { TonSource } from '../../../indexers/ton/source';
import { TRACES, type TonTraceDocument } from '../../../projections/ton/traces/documents';
import {
  TRANSACTIONS,
  transactionId,
  type TonTransactionDocument,
} from '../../../projections/ton/transactions/documents';
import type { Views } from '../../../projections/views';
import { type NetworkVerification, PAGE } from './verification';

export interface TonVerification extends NetworkVerification<TonNetwork, TonSource> {
  readonly views: Views;
}

/** Of an account (raw), newest first. */
export async function* storedTransactions(
  { network, views }: TonVerification,
  address: string,
): AsyncGenerator<TonTransaction> {
  const account = accountKey({ chain: 'ton', network, address });
  const query = { filter: { account }, order: [['lt', 'desc']] as const, limit: PAGE };
  for await (const page of views.scan<TonTransactionDocument>(TRANSACTIONS.name, query))
    for (const { transaction } of page) if (transaction) yield readJson(transaction) as TonTransaction;
}

/** What is known of what a transaction of an account (raw) has caused. */
export async function traceOf(
  { network, views }: Pick<TonVerification, 'network' | 'views'>,
  address: string,
  lt: string,
): Promise<TonTraceDocument | null> {
  const account = accountKey({ chain: 'ton', network, address });
  return views.get<TonTraceDocument>(TRACES.name, transactionId(account, lt));
}

/** The transaction of the same account in whose trace it is, if one is known. */
export async function tracesWith(
  deps: TonVerification,
  { account, lt, hash }: TonTransaction,
): Promise<readonly TransactionRef[]> {
  const member = (await traceOf(deps, account, lt))?.memberOf;
  if (member?.hash !== hash) return [];
  const root = (await traceOf(deps, account, member.lt))?.trace;
  return root ? [{ lt: member.lt, hash: root.hash }] : [];
}

/** @param traces in which it was */
export function retractionOf(
  network: TonNetwork,
  { account, lt, hash, external }: Pick<TonTransaction, 'account' | 'lt' | 'hash' | 'external'>,
  traces: readonly TransactionRef[],
): NewMessage {
  const hashes = external ? [external.hash, external.normalized] : [];
  return newMessage({
    type: 'retracted',
    version: TON_MESSAGE_VERSION,
    network,
    account,
    lt,
    hash,
    external: hashes,
    ...(traces.length > 0 && { traces }),
  });
}
