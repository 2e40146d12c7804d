import { TON_TRANSACTIONS } from '../../../contracts/chain/ton';
import type { TransactionRef } from '../../../contracts/chain/ton-transaction';
import { accountKey } from '../../../contracts/network/network';
import type { NewMessage } from '../../../contracts/ports/log';
import { backfillJob, newChain } from '../../../indexers/backfill-jobs';
import { findWatch } from '../../../indexers/watches';
import { concurrentMap } from '../../../indexers/concurrent-map';
import { loadIdentity, replaceIdentity } from '../../../indexers/network-identity';
import { followedByNetwork, loadHeads, NO_TRANSACTION } from '../../../indexers/ton/account-heads';
import { loadProgress } from '../../../indexers/ton/backfill/progress';
import { loadCursor } from '../../../indexers/ton/cursor';
import { TON_INDEXER_STATE, TON_TOPICS } from '../../../indexers/ton/indexer';
import { resetAccount, resetCursor } from '../../../indexers/ton/reset';
import { isOlder } from '../../../indexers/ton/transaction-chain';
import { hasTransaction, verifyHistory } from '../../../indexers/ton/verify-history';
import { loadStart } from '../../../indexers/ton/watched-accounts';
import { knownSince } from '../../../projections/ton/reached';
import { ACCOUNTS, type TonAccountDocument } from '../../../projections/ton/transactions/documents';
import type { NetworkReport } from './report';
import { retractionOf, storedTransactions, tracesWith, type TonVerification } from './ton-stored';
import { retractFalseTraces } from './ton-traces';
import { PAGE } from './verification';

const CONCURRENCY = 8;

/** Compares what is stored of a TON network with its source. Safe beside a running program. @throws WrongNetwork */
export async function verifyTon(deps: TonVerification): Promise<NetworkReport> {
  const { network, source, identity, documents, fix, signal, onProgress } = deps;
  await documents.declare(TON_INDEXER_STATE.collections);
  await deps.log.declare(TON_TOPICS);
  const stored = await loadIdentity({ chain: 'ton', network, documents });
  const isAnother = stored !== null && stored !== identity;
  const cursor = isAnother ? false : await verifyCursor(deps);
  const known = await knownAccounts(deps);
  // First: once the tail goes on, what it adds hides how far back a fork has gone.
  const traced = new Map<string, VerifiedAccount>();
  if (cursor === false && !isAnother)
    for await (const account of retractFalseTraces(deps, known)) {
      // What is read in the place of its own false transactions counts only once these are taken back.
      traced.set(account, await verifyAccount(deps, account, await source.tip(signal)));
      if (fix) await readAgain(deps, account);
    }
  if (fix && cursor === false) await resetCursor(deps);
  const tip = await source.tip(signal);

  const counts = { transactions: 0, false: 0, unknown: 0 };
  const accounts: string[] = [];
  let done = 0;
  const verified = async (account: string): Promise<VerifiedAccount> =>
    traced.get(account) ?? verifyAccount(deps, account, tip);
  for await (const found of concurrentMap(known, CONCURRENCY, verified)) {
    counts.transactions += found.transactions;
    counts.false += found.false;
    counts.unknown += found.unknown;
    const isFalse =
      found.false > 0 ||
      isAnother ||
      !(await isFollowed(deps, found.account, cursor !== false || fix)) ||
      !(await isRead(deps, found.account));
    if (isFalse || traced.has(found.account)) accounts.push(found.account);
    if (isFalse && fix) await readAgain(deps, found.account);
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

/** What is stored of an account (raw): transactions, and how many of them are false or unknown. */
interface VerifiedAccount extends Pick<NetworkReport, 'transactions' | 'false' | 'unknown'> {
  readonly account: string;
}

async function verifyAccount(deps: TonVerification, account: string, tip: number): Promise<VerifiedAccount> {
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
    const traces = await tracesWith(deps, transaction);
    if (retractions.push(retractionOf(deps.network, transaction, traces)) >= PAGE) await publish();
  }
  if (retractions.length > 0) await publish();
  return counts;
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

/** False when the history of an account was read, and what that claims is void: an earlier repair took back something and was killed. */
async function isRead({ network, documents, views }: TonVerification, address: string): Promise<boolean> {
  const start = await loadStart(documents, network, address);
  if (!start || !(await loadProgress(documents, network, address, start.watch)).complete) return true;
  const key = accountKey({ chain: 'ton', network, address });
  const known = await views.get<TonAccountDocument>(ACCOUNTS.name, key);
  return known !== null && knownSince(known, start.watch) === 0n;
}

/** The history of an account that nobody watches is read again when somebody does. */
async function readAgain(deps: TonVerification, address: string): Promise<void> {
  const { network, store, jobs } = deps;
  const watch = (await findWatch(store, { chain: 'ton', network, address }))?.watch ?? null;
  await resetAccount(deps, address, watch);
  if (watch === null) return;
  await jobs.add(backfillJob('ton', { network, address, watch, sequence: newChain(), failures: 0 }));
}
