import type { JettonOwnerSubject } from '../../contracts/chain/ton-token-observations';
import type { TonMessageContent } from '../../contracts/chain/ton-transaction';
import type { JettonTransfer } from '../../contracts/http/tokens/tokens';
import { addressFormatter } from '../../projections/ton/format-address';
import { tonJettons } from '../../projections/ton/jettons/queries';
import { movedJetton } from '../../projections/ton/transactions/operation';
import type { TonHistoryTransaction } from '../../projections/ton/transactions/stored-transaction';
import type { AnyCall } from '../http/call';
import { listReader } from '../reads/read-list';
import type { TonAccount } from '../../contracts/account/ton-account';
import { watchIfPossible } from '../watch-account';
import type { TokenDeps } from './deps';

interface TransferQuery {
  /** Raw. */
  readonly master: string;
  readonly limit: number;
  /** Logical time, inclusive. */
  readonly from: string | undefined;
}

/**
 * Transfers of a jetton to and from its owner, newest first, from the verified transfers of the owner's history. A page is not
 * cut within a transaction, and one that continues begins with the last transfer of its cursor: who drops the first item of
 * the next page sees each transfer once.
 * @throws Problem 503 when the history of the owner is not known as far back as the page goes
 */
export async function jettonTransfersOf(
  deps: TokenDeps,
  account: TonAccount,
  query: TransferQuery,
  call: AnyCall,
): Promise<JettonTransfer[]> {
  const { transactions, views } = deps;
  const { network, address } = account;
  const index = tonJettons(views);
  const sources = [...transactions.sources(network, address), ...index.sources(network, address)];
  const watched = await watchIfPossible(deps, account, call);
  const { page } = await listReader(deps, call)('The history of the account', {
    async read() {
      // Read first, so that the page includes what the backfill has published. It is made of two projections.
      const [named, whole] = await Promise.all([
        index.knownSince(network, address, watched),
        transactions.account(network, address),
      ]);
      const since = laterOf(named, whole?.knownSince(watched) ?? null);
      const page = await readPage(deps, account, query);
      const last = page.at(-1);
      const isFull = page.length >= query.limit && last !== undefined;
      const isWhole =
        watched === null ||
        since === 0n ||
        (isFull && since !== null && BigInt(last.transaction_lt) >= since);
      return { page, isWhole };
    },
    isWhole: ({ isWhole }) => isWhole,
    waitForChange: (timeoutMs, signal) => views.waitForChange(sources, timeoutMs, signal),
  });
  return page;
}

/** The later of two logical times; null when one is not known. */
const laterOf = (a: bigint | null, b: bigint | null): bigint | null =>
  a === null || b === null ? null : a > b ? a : b;

async function readPage(
  deps: TokenDeps,
  account: TonAccount,
  { master, limit, from }: TransferQuery,
): Promise<JettonTransfer[]> {
  const { network, address: owner } = account;
  const page: JettonTransfer[] = [];
  let next = from;
  for (;;) {
    const lts = await tonJettons(deps.views).transfers(network, owner, { master, limit, from: next });
    const found = await deps.transactions.withLts(network, owner, lts);
    const rows = await Promise.all(found.map(transaction => rowsOf(deps, account, master, transaction)));
    const byLt = new Map(found.map(({ lt }, place) => [lt, rows[place]!]));
    for (const lt of lts) {
      // Absent of a transaction that was retracted.
      const ofLt = byLt.get(lt) ?? [];
      page.push(...(lt === from ? ofLt.slice(-1) : ofLt));
      if (page.length >= limit) return page;
    }
    if (lts.length < limit) return page;
    next = String(BigInt(lts.at(-1)!) - 1n);
  }
}

async function rowsOf(
  deps: TokenDeps,
  { network, address: owner }: TonAccount,
  master: string,
  transaction: TonHistoryTransaction,
): Promise<JettonTransfer[]> {
  const format = addressFormatter(network);
  const { inMessage, outMessages, unsent, jettonWallets, status, hash, lt, time } = transaction;
  const messages: TonMessageContent[] = [...(inMessage ? [inMessage] : []), ...outMessages, ...unsent];
  const rows: JettonTransfer[] = [];
  for (const message of messages) {
    const { jetton, info } = message;
    if (info.type !== 'internal' || movedJetton(message, jettonWallets) !== master) continue;
    const shared = {
      jetton_master: format(master),
      transaction_hash: hash,
      transaction_lt: lt,
      transaction_now: time,
      transaction_aborted: status === 'failed',
      trace_id: hash,
    };
    if (jetton?.type === 'transfer')
      rows.push({
        ...shared,
        query_id: jetton.queryId,
        source: format(owner),
        destination: format(jetton.destination),
        amount: jetton.amount,
        source_wallet: format(info.dest),
        response_destination: jetton.responseDestination === null ? '' : format(jetton.responseDestination),
        custom_payload: jetton.customPayload,
        forward_ton_amount: jetton.forwardAmount,
        forward_payload: jetton.forwardPayload,
      });
    if (jetton?.type === 'transfer_notification') {
      // A mint has no sender: the jettons come from the master.
      const source = jetton.sender ?? master;
      const wallet = jetton.sender === null ? null : await walletOf(deps, { network, master, owner: source });
      rows.push({
        ...shared,
        query_id: jetton.queryId,
        source: format(source),
        destination: format(owner),
        amount: jetton.amount,
        source_wallet: wallet === null ? '' : format(wallet),
        response_destination: '',
        custom_payload: null,
        // The notification carries what is forwarded.
        forward_ton_amount: info.value,
        forward_payload: jetton.forwardPayload,
      });
    }
  }
  return rows;
}

/** Null when the master does not answer now. */
const walletOf = async ({ walletAddress }: TokenDeps, owner: JettonOwnerSubject): Promise<string | null> => {
  const found = await walletAddress.read(owner).catch(() => null);
  return found?.data ?? null;
};
