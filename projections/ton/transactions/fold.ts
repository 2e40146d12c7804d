import { isDeepStrictEqual } from 'node:util';
import type {
  TonBackfilledMessage,
  TonRetractedMessage,
  TonTraceMessage,
  TonTransactionMessage,
} from '../../../contracts/chain/ton';
import type { JettonWallet, JettonWallets } from '../../../contracts/chain/ton-jetton';
import { finalStatus, hasFailed } from '../../../contracts/chain/ton-outcome';
import { countResolved, isLaterState } from '../../../contracts/chain/ton-trace';
import type { TonTransaction } from '../../../contracts/chain/ton-transaction';
import type { TonNetwork } from '../../../contracts/network/network';
import { addressFormatter } from '../format-address';
import { foldHistory } from '../history';
import { NOTHING_REACHED } from '../reached';
import { padLt, type TonAccountDocument, type TonTransactionDocument, type TraceSummary } from './documents';
import { storedTransaction } from './stored-transaction';
import { readJson } from '../../../contracts/json/read-json';

const textOf = ({ master, owner }: JettonWallet): string => `${master} ${owner}`;

/**
 * A wallet that was confirmed once counts: tail and backfill ask at different times, and a wallet may be deleted between
 * them. Which of the two is read first makes no difference.
 */
function mergeJettonWallets(a: JettonWallets, b: JettonWallets): JettonWallets {
  const merged = { ...a };
  for (const [address, wallet] of Object.entries(b)) {
    const known = a[address];
    merged[address] = !known || (wallet && textOf(wallet) < textOf(known)) ? wallet : known;
  }
  return merged;
}

const decodedIn = ({ transaction }: TonTransactionDocument): TonTransaction | null =>
  transaction === null ? null : (readJson(transaction) as TonTransaction);

/** The document with the row of its transaction, from all that is known of it now. */
function withRow(
  document: TonTransactionDocument,
  transaction: TonTransaction | null,
  network: TonNetwork,
): TonTransactionDocument {
  if (!transaction) return document;
  const { jettonWallets, contracts, trace } = document;
  const { hash, prev, time } = transaction;
  const status = finalStatus(transaction, trace?.hash === hash ? trace : null);
  const row = storedTransaction(
    { ...transaction, jettonWallets, contracts, status },
    addressFormatter(network),
  );
  return { ...document, summary: { hash, prev: prev.lt, time, status }, row: JSON.stringify(row) };
}

/** Tail and backfill may publish a transaction more than once: the output of the newest decoder is stored. */
export function foldTransaction(
  known: TonTransactionDocument | null,
  message: TonTransactionMessage,
  _id: string,
  account: string,
): TonTransactionDocument {
  const { network, lt, decoder, transaction } = message;
  const seqno = known?.seqno ?? message.seqno;
  const jettonWallets = mergeJettonWallets(
    known?.jettonWallets ?? {},
    message.jettonWallets,
  ) as TonTransactionDocument['jettonWallets'];
  // As of jetton wallets, what was confirmed once counts.
  const contracts = { ...known?.contracts, ...message.contracts };
  if (known && known.decoder >= decoder) {
    const { jettonWallets: wallets, contracts: others } = known;
    // A repeated message says nothing new, as a rule.
    if (isDeepStrictEqual([wallets, others], [jettonWallets, contracts])) return { ...known, seqno };
    return withRow({ ...known, seqno, jettonWallets, contracts }, decodedIn(known), network);
  }
  const document: TonTransactionDocument = {
    _id,
    account,
    lt: padLt(lt),
    seqno,
    decoder,
    summary: null,
    transaction: JSON.stringify(transaction),
    row: null,
    jettonWallets,
    contracts,
    trace: known?.trace ?? null,
  };
  return withRow(document, transaction, network);
}

/** Whether a trace is more complete than another one of the same transaction. */
function isMoreComplete(a: TraceSummary, b: TraceSummary): boolean {
  if (a.state !== b.state) return isLaterState(a.state, b.state);
  return a.resolved !== b.resolved ? a.resolved > b.resolved : a.failed && !b.failed;
}

const unknown = ({ lt }: TonTraceMessage, _id: string, account: string): TonTransactionDocument => ({
  _id,
  account,
  lt: padLt(lt),
  seqno: null,
  decoder: 0,
  summary: null,
  transaction: null,
  row: null,
  jettonWallets: {},
  contracts: {},
  trace: null,
});

/** Tail and backfill may publish a trace more than once: the most complete one is stored. */
export function foldTrace(
  known: TonTransactionDocument | null,
  message: TonTraceMessage,
  _id: string,
  account: string,
): TonTransactionDocument {
  const trace: TraceSummary = {
    hash: message.hash,
    state: message.state,
    failed: hasFailed(message),
    resolved: countResolved(message),
  };
  if (known?.trace && !isMoreComplete(trace, known.trace)) return known;
  const document = { ...(known ?? unknown(message, _id, account)), trace };
  return withRow(document, decodedIn(document), message.network);
}

/**
 * A transaction that is not on the chain is no longer stored; another one of the same logical time stays. Of one in whose trace it
 * was it is not known any more what it has caused.
 */
export function foldRetraction(
  known: TonTransactionDocument | null,
  { hash, traces = [], network }: TonRetractedMessage,
): TonTransactionDocument | null {
  if (!known) return null;
  if ((known.summary ?? known.trace)?.hash === hash) return null;
  const isVoid = traces.some(of => of.hash === known.trace?.hash);
  return isVoid ? withRow({ ...known, trace: null }, decodedIn(known), network) : known;
}

const newAccount = (
  { network, account }: Pick<TonTransactionMessage, 'network' | 'account'>,
  _id: string,
): TonAccountDocument => ({
  _id,
  network,
  address: account,
  newest: null,
  hash: null,
  ...NOTHING_REACHED,
});

/** How much of an account is folded. */
export function foldAccount(
  known: TonAccountDocument | null,
  message: TonTransactionMessage | TonBackfilledMessage | TonRetractedMessage,
  id: string,
): TonAccountDocument {
  return foldHistory(known ?? newAccount(message, id), message);
}
