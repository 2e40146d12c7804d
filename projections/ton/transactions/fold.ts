import type {
  TonBackfilledMessage,
  TonLogMessage,
  TonTransactionMessage,
} from '../../../contracts/chain/ton';
import { padLt, type TonAccountDocument, type TonTransactionDocument } from './documents';

/** Tail and backfill may publish a transaction more than once: the output of the newest decoder is stored. */
export function foldTransaction(
  known: TonTransactionDocument | null,
  message: TonTransactionMessage,
  _id: string,
  account: string,
): TonTransactionDocument {
  const { lt, seqno, decoder, transaction } = message;
  if (known && known.decoder >= decoder) {
    if (known.seqno !== null || seqno === null) return known;
    return { ...known, seqno };
  }
  return {
    _id,
    account,
    lt: padLt(lt),
    seqno: seqno ?? known?.seqno ?? null,
    decoder,
    transaction: transaction as TonTransactionDocument['transaction'],
  };
}

const newAccount = ({ network, account }: TonLogMessage, _id: string): TonAccountDocument => ({
  _id,
  network,
  address: account,
  newest: null,
  hash: null,
  backfilled: false,
});

/** `newest` only grows and `backfilled` stays true, so the order of records does not matter. */
export function foldAccount(
  known: TonAccountDocument | null,
  message: TonTransactionMessage | TonBackfilledMessage,
  id: string,
): TonAccountDocument {
  const account = known ?? newAccount(message, id);
  if (message.type === 'backfilled') return account.backfilled ? account : { ...account, backfilled: true };
  const lt = padLt(message.lt);
  if (account.newest !== null && account.newest >= lt) return account;
  return { ...account, newest: lt, hash: message.hash };
}
