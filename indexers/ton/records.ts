import type { Cell } from '@ton/core';
import {
  encodeTonMessage,
  TON_MESSAGE_VERSION,
  tonMessageKey,
  type TonDeadLetter,
  type TonLogMessage,
} from '../../contracts/chain/ton';
import type { TransactionRef } from '../../contracts/chain/ton-transaction';
import { messageOf } from '../../contracts/error-message';
import type { TonNetwork } from '../../contracts/network';
import type { NewMessage } from '../../contracts/ports/log';
import { DECODER_VERSION, decodeTransaction } from './decode/decode';
import { boc } from './decode/format';
import { transactionHeader, type TransactionHeader } from './decode/header';

/** A transaction ready for the log; `dead` when it goes to the dead letters. */
export interface LogRecord extends TransactionRef {
  readonly account: string;
  /** Null when not even the header can be read, so its place in the chain cannot be checked. */
  readonly prev: TransactionRef | null;
  readonly dead: boolean;
  readonly message: NewMessage;
}

/** Where a transaction was read. */
export interface RecordOrigin {
  readonly network: TonNetwork;
  readonly account: string;
  /** The masterchain block; null in a backfill. */
  readonly seqno: number | null;
  readonly origin: 'tail' | 'backfill';
}

export function newMessage(message: TonLogMessage | TonDeadLetter): NewMessage {
  return { key: tonMessageKey(message), value: encodeTonMessage(message) };
}

/** Decodes a transaction that a list names `ref`. What cannot be decoded becomes a dead letter with its bytes. */
export function toRecord(
  cell: Cell,
  ref: TransactionRef,
  { network, account, seqno, origin }: RecordOrigin,
): LogRecord {
  const { lt, hash } = ref;
  const prev = headerOf(cell)?.prev ?? null;
  const known = { account, lt, hash, prev };
  const shared = { version: TON_MESSAGE_VERSION, network, account, lt, hash, seqno } as const;
  const decoder = DECODER_VERSION;
  const raw = boc(cell);
  try {
    const transaction = decodeTransaction(account, cell);
    const { prev: previous, time } = transaction;
    const message = newMessage({
      type: 'transaction',
      ...shared,
      prev: previous,
      time,
      origin,
      decoder,
      transaction,
      jettonWallets: {},
      raw,
    });
    return { ...known, dead: false, message };
  } catch (error) {
    const message = newMessage({ type: 'dead', ...shared, decoder, reason: messageOf(error), raw });
    return { ...known, dead: true, message };
  }
}

function headerOf(cell: Cell): TransactionHeader | null {
  try {
    return transactionHeader(cell);
  } catch {
    return null;
  }
}
