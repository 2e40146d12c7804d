import { TON_TRANSACTIONS } from '../../../contracts/chain/ton';
import type { TonTrace } from '../../../contracts/chain/ton-trace';
import type { TransactionRef } from '../../../contracts/chain/ton-transaction';
import { concurrentMap } from '../../../indexers/concurrent-map';
import { cursorFence, loadCursor } from '../../../indexers/ton/cursor';
import { loadOpenTraces, traceDeletion } from '../../../indexers/ton/traces/documents';
import { hasTransaction } from '../../../indexers/ton/verify-history';
import { retractionOf, storedTransactions, traceOf, type TonVerification } from './ton-stored';

const CONCURRENCY = 8;
/** Longer than a trace takes. */
const MAX_TRACE_SECONDS = 3_600;

/** A transaction of any account. */
interface Traced extends TransactionRef {
  readonly account: string;
  /** Unix seconds. */
  readonly time: number;
}

type IsFalse = (transaction: Traced) => Promise<boolean>;

/**
 * Takes back the traces that have transactions which the source does not have: a fork may take back what a transaction has caused
 * and leave the transaction itself, and everything else of its account.
 * @param accounts raw
 * @returns each that has such traces, after they were taken back
 */
export async function* retractFalseTraces(
  deps: TonVerification,
  accounts: readonly string[],
): AsyncGenerator<string> {
  const isFalse = rememberedVerdicts(deps);
  yield* await dropOpenTraces(deps, isFalse);
  const verify = async (account: string) => [account, await retractOf(deps, account, isFalse)] as const;
  for await (const [account, isAny] of concurrentMap(accounts, CONCURRENCY, verify)) if (isAny) yield account;
}

/** The traces of several accounts have the same transactions. What the source no longer knows is not false. */
function rememberedVerdicts({ source, signal }: TonVerification): IsFalse {
  const verdicts = new Map<string, Promise<boolean>>();
  const read = async (transaction: Traced): Promise<boolean> =>
    !(await hasTransaction(source, transaction.account, transaction, signal)) &&
    (await source.blockAt(transaction.time, signal)) !== null;
  return transaction => {
    const verdict = verdicts.get(transaction.hash) ?? read(transaction);
    verdicts.set(transaction.hash, verdict);
    return verdict;
  };
}

function transactionsOf({ messages }: Pick<TonTrace, 'messages'>): Traced[] {
  return messages.flatMap(({ dest, transaction }) =>
    transaction ? [{ account: dest, ...transaction }] : [],
  );
}

/** @param transactions oldest first: a fork takes back the newest */
async function lastFalse(transactions: readonly Traced[], isFalse: IsFalse): Promise<Traced | null> {
  for (const transaction of transactions.toReversed()) if (await isFalse(transaction)) return transaction;
  return null;
}

/** A fork takes back the newest blocks: what is older than a trace that is true, by more than traces take, is true too. */
async function retractOf(deps: TonVerification, account: string, isFalse: IsFalse): Promise<boolean> {
  const { network, log, fix } = deps;
  let isAny = false;
  let trueAt = -Infinity;
  for await (const { lt, hash, time } of storedTransactions(deps, account)) {
    if (time < trueAt - MAX_TRACE_SECONDS) break;
    const trace = (await traceOf(deps, account, lt))?.trace;
    if (trace?.hash !== hash) continue;
    const transactions = transactionsOf(trace);
    const found = await lastFalse(transactions, isFalse);
    trueAt = found ? trueAt : Math.max(trueAt, ...transactions.map(each => each.time));
    if (!found) continue;
    isAny = true;
    const taken = { account, lt: found.lt, hash: found.hash, external: null };
    if (fix) await log.publish(TON_TRANSACTIONS.name, [retractionOf(network, taken, [{ lt, hash }])]);
  }
  return isAny;
}

/** Those that the tail follows would go on from what is false. @returns their accounts */
async function dropOpenTraces(
  { network, documents, fix }: TonVerification,
  isFalse: IsFalse,
): Promise<Iterable<string>> {
  const cursor = await loadCursor(documents, network);
  const dropped = [];
  for (const trace of await loadOpenTraces(documents, network)) {
    const root = { ...trace, time: trace.begunAt };
    if (await lastFalse([root, ...transactionsOf(trace)], isFalse)) dropped.push(trace);
  }
  if (fix && cursor && dropped.length > 0)
    await documents.commit({
      writes: dropped.map(trace => traceDeletion(network, trace)),
      checkpoint: cursorFence(network, cursor, cursor),
    });
  return new Set(dropped.map(({ account }) => account));
}
