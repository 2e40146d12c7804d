import { type Cell, loadTransaction } from '@ton/core';
import type { TransactionRef } from '../../../../../contracts/chain/ton-transaction';
import type { TonSource } from '../../../../../indexers/ton/source';

/** Transactions of an account (raw), newest first, from one on: a page at a time. */
export async function* accountHistory(
  source: Pick<TonSource, 'transactions'>,
  account: string,
  from: TransactionRef,
  signal: AbortSignal,
): AsyncGenerator<Cell> {
  for (let at = from; at.lt !== '0';) {
    const page = await source.transactions(account, at, signal);
    yield* page;
    const { prevTransactionLt, prevTransactionHash } = loadTransaction(page.at(-1)!.beginParse());
    const hash = Buffer.from(prevTransactionHash.toString(16).padStart(64, '0'), 'hex');
    at = { lt: prevTransactionLt.toString(), hash: hash.toString('base64') };
  }
}
