import type {
  TonLogMessage,
  TonRetractedMessage,
  TonTraceMessage,
  TonTransactionMessage,
} from '../../../contracts/chain/ton';
import type { JettonWallet, JettonWallets } from '../../../contracts/chain/ton-jetton';
import { hasFailed } from '../../../contracts/chain/ton-outcome';
import { countResolved, isLaterState } from '../../../contracts/chain/ton-trace';
import { padLt, type TonAccountDocument, type TonTransactionDocument, type TraceSummary } from './documents';

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

/** Tail and backfill may publish a transaction more than once: the output of the newest decoder is stored. */
export function foldTransaction(
  known: TonTransactionDocument | null,
  message: TonTransactionMessage,
  _id: string,
  account: string,
): TonTransactionDocument {
  const { lt, decoder, transaction } = message;
  const seqno = known?.seqno ?? message.seqno;
  const jettonWallets = mergeJettonWallets(
    known?.jettonWallets ?? {},
    message.jettonWallets,
  ) as TonTransactionDocument['jettonWallets'];
  if (known && known.decoder >= decoder) return { ...known, seqno, jettonWallets };
  return {
    _id,
    account,
    lt: padLt(lt),
    seqno,
    decoder,
    transaction: transaction as TonTransactionDocument['transaction'],
    jettonWallets,
    trace: known?.trace ?? null,
  };
}

/** Whether a trace tells more than another one of the same transaction. */
function tellsMore(a: TraceSummary, b: TraceSummary): boolean {
  if (a.state !== b.state) return isLaterState(a.state, b.state);
  return a.resolved !== b.resolved ? a.resolved > b.resolved : a.failed && !b.failed;
}

const unknown = ({ lt }: TonTraceMessage, _id: string, account: string) => ({
  _id,
  account,
  lt: padLt(lt),
  seqno: null,
  decoder: 0,
  transaction: null,
  jettonWallets: {},
});

/** Tail and backfill may publish a trace more than once: the one that tells most is stored. */
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
  if (known?.trace && !tellsMore(trace, known.trace)) return known;
  return {
    ...(known ?? unknown(message, _id, account)),
    trace,
  };
}

/** A transaction that is not on the chain is no longer stored; another one of the same logical time stays. */
export function foldRetraction(
  known: TonTransactionDocument | null,
  { hash }: TonRetractedMessage,
): TonTransactionDocument | null {
  const isRetracted = (known?.transaction ?? known?.trace)?.hash === hash;
  return isRetracted ? null : known;
}

const newAccount = (
  { network, account }: Pick<TonLogMessage, 'network' | 'account'>,
  _id: string,
): TonAccountDocument => ({
  _id,
  network,
  address: account,
  newest: null,
  hash: null,
  backfilled: 0,
});

/**
 * `newest` and `backfilled` only grow, so the order of records does not matter; until something of the account
 * is retracted, after which its history is read again.
 */
export function foldAccount(
  known: TonAccountDocument | null,
  message: Exclude<TonLogMessage, TonTraceMessage>,
  id: string,
): TonAccountDocument {
  const account = known ?? newAccount(message, id);
  if (message.type === 'backfilled')
    return { ...account, backfilled: Math.max(account.backfilled, message.watch) };
  if (message.type === 'retracted') {
    const isNewest = account.hash === message.hash;
    return { ...account, ...(isNewest && { newest: null, hash: null }), backfilled: 0 };
  }
  const lt = padLt(message.lt);
  if (account.newest !== null && account.newest >= lt) return account;
  return { ...account, newest: lt, hash: message.hash };
}
