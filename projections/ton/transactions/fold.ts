import type { TonLogMessage, TonRetractedMessage, TonTransactionMessage } from '../../../contracts/chain/ton';
import type { JettonWallet, JettonWallets } from '../../../contracts/chain/ton-jetton';
import { padLt, type TonAccountDocument, type TonTransactionDocument } from './documents';

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
  };
}

/** A transaction that is not on the chain is no longer stored; another one of the same logical time stays. */
export function foldRetraction(
  known: TonTransactionDocument | null,
  { hash }: TonRetractedMessage,
): TonTransactionDocument | null {
  return known?.transaction.hash === hash ? null : known;
}

const newAccount = ({ network, account }: TonLogMessage, _id: string): TonAccountDocument => ({
  _id,
  network,
  address: account,
  newest: null,
  hash: null,
  backfilled: false,
});

/**
 * `newest` only grows and `backfilled` stays true, so the order of records does not matter; until something of the account
 * is retracted, after which its history is read again.
 */
export function foldAccount(
  known: TonAccountDocument | null,
  message: TonLogMessage,
  id: string,
): TonAccountDocument {
  const account = known ?? newAccount(message, id);
  if (message.type === 'backfilled') return account.backfilled ? account : { ...account, backfilled: true };
  if (message.type === 'retracted') {
    const isNewest = account.hash === message.hash;
    return { ...account, ...(isNewest && { newest: null, hash: null }), backfilled: false };
  }
  const lt = padLt(message.lt);
  if (account.newest !== null && account.newest >= lt) return account;
  return { ...account, newest: lt, hash: message.hash };
}
