import type { Cell } from '@ton/core';
import {
  encodeTonMessage,
  TON_MESSAGE_VERSION,
  tonMessageKey,
  type TonDeadLetter,
  type TonTransactionMessage,
} from '../../contracts/chain/ton';
import type { TransactionRef } from '../../contracts/chain/ton-transaction';
import type { TonNetwork } from '../../contracts/network';
import type { NewMessage } from '../../contracts/ports/log';
import { boc } from './decode/format';
import { transactionHeader, type TransactionHeader } from './decode/header';
import { DECODER_VERSION, decodeTransaction } from './decode/transaction';
import { messageOf } from './errors';

/** A transaction ready for the log; `dead` when it goes to the dead letters. */
export interface Letter extends TransactionRef {
  readonly account: string;
  /** Null when not even the header can be read, so its place in the chain cannot be checked. */
  readonly prev: TransactionRef | null;
  readonly dead: boolean;
  readonly message: NewMessage;
}

export interface Postmark {
  readonly network: TonNetwork;
  readonly account: string;
  readonly seqno: number | null;
  readonly origin: 'tail' | 'backfill';
}

function header(cell: Cell): TransactionHeader | null {
  try {
    return transactionHeader(cell);
  } catch {
    return null;
  }
}

/** Decodes a transaction that a list names `ref`. What cannot be decoded becomes a dead letter with its bytes. */
export function letter(
  cell: Cell,
  ref: TransactionRef,
  { network, account, seqno, origin }: Postmark,
): Letter {
  const { lt, hash } = ref;
  const prev = header(cell)?.prev ?? null;
  const known = { account, lt, hash, prev };
  const shared = { version: TON_MESSAGE_VERSION, network, account, lt, hash, seqno } as const;
  const raw = boc(cell);
  const post = (message: TonTransactionMessage | TonDeadLetter): NewMessage => ({
    key: tonMessageKey(message),
    value: encodeTonMessage(message),
  });
  try {
    const transaction = decodeTransaction(account, cell);
    const message = post({
      type: 'transaction',
      ...shared,
      prev: transaction.prev,
      time: transaction.time,
      origin,
      decoder: DECODER_VERSION,
      transaction,
      raw,
    });
    return { ...known, dead: false, message };
  } catch (error) {
    const message = post({
      type: 'dead',
      ...shared,
      decoder: DECODER_VERSION,
      reason: messageOf(error),
      raw,
    });
    return { ...known, dead: true, message };
  }
}
