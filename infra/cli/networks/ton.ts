import { TON_MESSAGE_VERSION, TON_TRANSACTIONS } from '../../../contracts/chain/ton';
import type { TonTransaction, TransactionRef } from '../../../contracts/chain/ton-transaction';
import { accountKey, type TonNetwork } from '../../../contracts/network/network';
import type { Documents } from '../../../contracts/ports/documents';
import type { EventStore } from '../../../contracts/ports/event-store';
import type { Jobs } from '../../../contracts/ports/jobs';
import type { Log, NewMessage } from '../../../contracts/ports/log';
import { backfillJob, newChain } from '../../../indexers/backfill-jobs';
import { findWatch } from '../../../indexers/watches';
import { concurrentMap } from '../../../indexers/concurrent-map';
import { loadIdentity, replaceIdentity } from '../../../indexers/network-identity';
import { followedByNetwork, loadHeads, NO_TRANSACTION } from '../../../indexers/ton/account-heads';
import { loadCursor } from '../../../indexers/ton/cursor';
import { TON_INDEXER_STATE, TON_TOPICS } from '../../../indexers/ton/indexer';
import { newMessage } from '../../../indexers/ton/records';
import { resetAccount, resetCursor } from '../../../indexers/ton/reset';
import { isOlder } from '../../../indexers/ton/transaction-chain';
import type { TonSource } from '../../../indexers/ton/source';
import { hasTransaction, verifyHistory } from '../../../indexers/ton/verify-history';
import { loadStart } from '../../../indexers/ton/watched-accounts';
import {
  ACCOUNTS,
  TRANSACTIONS,
  type TonAccountDocument,
  type TonTransactionDocument,
} from '../../../projections/ton/transactions/documents';
import type { Views } from '../../../projections/views';
import type { NetworkReport } from './report';
import { readJson } from '../../../contracts/json/read-json';

export interface TonVerification {
  readonly network: TonNetwork;
  readonly source: TonSource;
  /** Of the source. */
  readonly identity: string;
  readonly documents: Documents;
  readonly views: Views;
  readonly log: Log;
  readonly store: EventStore;
  readonly jobs: Jobs;
  /** Takes back what is false, and has it read again. */
  readonly fix: boolean;
  readonly signal: AbortSignal;
  onProgress?(done: number, total: number): void;
}

const PAGE = 200;
const CONCURRENCY = 8;

/** Compares what is stored of a TON network with its source. Safe beside a running program. @throws WrongNetwork */
export async function verifyTon(deps: TonVerification): Promise<NetworkReport> {
  const { network, source, identity, documents, fix, signal, onProgress } = deps;
  await documents.declare(TON_INDEXER_STATE.collections);
  await deps.log.declare(TON_TOPICS);
  const stored = await loadIdentity({ chain: 'ton', network, documents });
  const isAnother = stored !== null && stored !== identity;
  const cursor = isAnother ? false : await verifyCursor(deps);
  if (fix && cursor === false) await resetCursor(deps);
  const tip = await source.tip(signal);

  const counts = { transactions: 0, false: 0, unknown: 0 };
  const accounts: string[] = [];
  const known = await knownAccounts(deps);
  let done = 0;
  for await (const found of concurrentMap(known, CONCURRENCY, account => verifyAccount(deps, account, tip))) {
    counts.transactions += found.transactions;
    counts.false += found.false;
    counts.unknown += found.unknown;
    if (found.false > 0 || isAnother || !(await isFollowed(deps, found.account, cursor !== false || fix))) {
      accounts.push(found.account);
      if (fix) await readAgain(deps, found.account);
    }
    onProgress?.(++done, known.length);
  }
  // Last: until then a running program reads nothing of the network.
  if (fix && isAnother) await replaceIdentity({ chain: 'ton', network, documents }, identity);
  const report = {
    network: `ton:${network}`,
    identity: { stored, source: identity },
    cursor,
    ...counts,
    accounts,
  };
  return { ...report, fixed: fix };
}

/** Whether the source has the block up to which the network was indexed; null when it was not, or the source is behind. */
async function verifyCursor({
  network,
  source,
  documents,
  signal,
}: TonVerification): Promise<boolean | null> {
  const cursor = await loadCursor(documents, network);
  if (!cursor || cursor.seqno > (await source.tip(signal))) return null;
  const block = await source.block(cursor.seqno, signal);
  return block && block.rootHash === cursor.rootHash;
}

/** Raw addresses: those with a history, and those that the tail follows. */
async function knownAccounts({ network, views, documents }: TonVerification): Promise<string[]> {
  const known = new Set<string>();
  for await (const page of views.scan<TonAccountDocument>(ACCOUNTS.name, { limit: PAGE }))
    for (const account of page) if (account.network === network) known.add(account.address);
  for await (const page of followedByNetwork(documents, network))
    for (const { account } of page) known.add(account);
  return [...known];
}

async function verifyAccount(deps: TonVerification, account: string, tip: number) {
  const { source, log, fix, signal } = deps;
  const counts = { account, transactions: 0, false: 0, unknown: 0 };
  const retractions: NewMessage[] = [];
  const publish = async (): Promise<void> => {
    if (fix) await log.publish(TON_TRANSACTIONS.name, retractions.splice(0));
  };
  const stored = storedTransactions(deps, account);
  for await (const { transaction, verdict } of verifyHistory(source, account, tip, stored, signal)) {
    counts.transactions += 1;
    if (verdict === 'unknown') counts.unknown += 1;
    if (verdict !== 'false') continue;
    counts.false += 1;
    if (retractions.push(retractionOf(deps.network, transaction)) >= PAGE) await publish();
  }
  if (retractions.length > 0) await publish();
  return counts;
}

/** Newest first. */
async function* storedTransactions(
  { network, views }: TonVerification,
  address: string,
): AsyncGenerator<TonTransaction> {
  const account = accountKey({ chain: 'ton', network, address });
  const query = { filter: { account }, order: [['lt', 'desc']] as const, limit: PAGE };
  for await (const page of views.scan<TonTransactionDocument>(TRANSACTIONS.name, query))
    for (const { transaction } of page) if (transaction) yield readJson(transaction) as TonTransaction;
}

function retractionOf(network: TonNetwork, { account, lt, hash, external }: TonTransaction): NewMessage {
  const hashes = external ? [external.hash, external.normalized] : [];
  return newMessage({
    type: 'retracted',
    version: TON_MESSAGE_VERSION,
    network,
    account,
    lt,
    hash,
    external: hashes,
  });
}

/** True when the tail continues the account from a transaction of its chain, and has missed none up to the cursor. */
async function isFollowed(
  { network, source, documents, signal }: TonVerification,
  account: string,
  isCursorRight: boolean,
): Promise<boolean> {
  // Before the head: the tail may advance both in between.
  const cursor = await loadCursor(documents, network);
  const start = await loadStart(documents, network, account);
  const head = (await loadHeads(documents, network, [account])).get(account);
  const isTrue = async (ref: TransactionRef): Promise<boolean> =>
    ref.lt === NO_TRANSACTION.lt || hasTransaction(source, account, ref, signal);
  if (start && !(await isTrue(start))) return false;
  if (!head) return true;
  if (!(await isTrue(head))) return false;
  if (!cursor || !isCursorRight) return true;
  const last = await source.last(account, cursor.seqno, signal);
  return !last || !isOlder(head, last);
}

/** The history of an account that nobody watches is read again when somebody does. */
async function readAgain(deps: TonVerification, address: string): Promise<void> {
  const { network, store, jobs } = deps;
  const watch = (await findWatch(store, { chain: 'ton', network, address }))?.watch ?? null;
  await resetAccount(deps, address, watch);
  if (watch === null) return;
  await jobs.add(backfillJob('ton', { network, address, watch, sequence: newChain(), failures: 0 }));
}
