import type { TransactionRef } from '../../contracts/chain/ton-transaction';
import { NO_TRANSACTION } from './account-heads';
import { transactionHeader } from './decode/header';
import { SourceError, type TonSource } from './source';
import { isOlder } from './transaction-chain';

/** A stored transaction. */
export interface StoredTransaction extends TransactionRef {
  readonly prev: TransactionRef;
  /** Unix seconds. */
  readonly time: number;
}

/**
 * `true`: the source has the transaction in the chain of the account. `false`: it has the chain without it.
 * `unknown`: it no longer has that part of the chain.
 */
type Verdict = 'true' | 'false' | 'unknown';

export interface Judged<T> {
  readonly transaction: T;
  readonly verdict: Verdict;
}

/**
 * Compares the stored transactions of an account, newest first, with its chain at a source, as of a masterchain block. The
 * hash of a transaction includes that of its predecessor: what a true transaction names as its predecessor is true without
 * asking the source.
 * @throws WrongNetwork
 */
export async function* verifyHistory<T extends StoredTransaction>(
  source: TonSource,
  account: string,
  seqno: number,
  stored: AsyncIterable<T>,
  signal: AbortSignal,
): AsyncGenerator<Judged<T>> {
  /** The next transaction of the chain that no stored one was compared with; null once the source has no more. */
  let next: TransactionRef | null = (await source.last(account, seqno, signal)) ?? NO_TRANSACTION;
  let page: ReadonlyMap<string, TransactionRef> = new Map();

  async function predecessor(of: TransactionRef): Promise<TransactionRef | null> {
    if (!page.has(of.hash)) {
      const cells = await orNull(source.transactions(account, of, signal), signal);
      page = new Map((cells ?? []).map(transactionHeader).map(({ hash, prev }) => [hash, prev]));
    }
    return page.get(of.hash) ?? null;
  }

  /** Of a transaction that is older than the chain: one of an account that was deleted, or of another network. */
  async function judgeByItself(transaction: T): Promise<Verdict> {
    if (await orNull(source.transactions(account, transaction, signal, 1), signal)) {
      next = transaction.prev;
      return 'true';
    }
    return (await source.blockAt(transaction.time, signal)) ? 'false' : 'unknown';
  }

  for await (const transaction of stored) {
    while (next && isOlder(transaction, next)) next = await predecessor(next);
    let verdict: Verdict;
    if (!next) verdict = 'unknown';
    else if (next.lt === NO_TRANSACTION.lt) verdict = await judgeByItself(transaction);
    else if (next.hash === transaction.hash) {
      verdict = 'true';
      next = transaction.prev;
    } else verdict = 'false';
    yield { transaction, verdict };
  }
}

/** True when the source has the transaction in the chain of the account. @throws WrongNetwork */
export async function hasTransaction(
  source: TonSource,
  account: string,
  ref: TransactionRef,
  signal: AbortSignal,
): Promise<boolean> {
  return (await orNull(source.transactions(account, ref, signal, 1), signal)) !== null;
}

/** Null when no server has the answer. */
async function orNull<T>(reading: Promise<T>, signal: AbortSignal): Promise<T | null> {
  try {
    return await reading;
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof SourceError) return null;
    throw error;
  }
}
