import { Cell } from '@ton/core';
import {
  encodeTonMessage,
  TON_MESSAGE_VERSION,
  tonMessageKey,
  type TonDeadLetter,
  type TonLogMessage,
} from '../../contracts/chain/ton';
import type { TonTransaction, TransactionRef } from '../../contracts/chain/ton-transaction';
import type { VerifiedContracts } from '../../contracts/chain/ton-verified-contracts';
import { messageOf } from '../../contracts/text/error-message';
import type { TonNetwork } from '../../contracts/network/network';
import type { NewMessage } from '../../contracts/ports/log';
import type { DeadReason } from '../indexer';
import { DECODER_VERSION, decodeTransaction } from './decode/decode';
import { boc } from './decode/format';
import { transactionHeader, type TransactionHeader } from './decode/header';
import { namedContracts, type VerifyContracts } from './verify-contracts';

/** A transaction ready for the log; `dead`: why it goes to the dead letters instead. */
export interface LogRecord extends TransactionRef {
  readonly account: string;
  /** Null when not even the header can be read, so its place in the chain cannot be checked. */
  readonly prev: TransactionRef | null;
  readonly dead: DeadReason | null;
  /** Null when it could not be decoded. */
  readonly transaction: TonTransaction | null;
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
export async function toRecord(
  cell: Cell,
  ref: TransactionRef,
  origin: RecordOrigin,
  verify: VerifyContracts,
): Promise<LogRecord> {
  const decoded = decode(origin.account, cell, ref.hash);
  const named = decoded.transaction && namedContracts(decoded.transaction);
  const isAny = named !== null && Object.values(named).some(addresses => addresses.length > 0);
  return recordOf(ref, origin, decoded, isAny ? await verify(named, origin.seqno) : NOTHING_VERIFIED);
}

const NOTHING_VERIFIED: VerifiedContracts = { jettonWallets: {}, contracts: {} };

/** As `toRecord`, without the chain: no contract is verified. */
export function toUnverifiedRecord(cell: Cell, ref: TransactionRef, origin: RecordOrigin): LogRecord {
  return recordOf(ref, origin, decode(origin.account, cell, ref.hash), NOTHING_VERIFIED);
}

interface Undecoded {
  readonly transaction: null;
  readonly dead: DeadReason;
  readonly reason: string;
}

type Decoded = { readonly raw: string; readonly header: TransactionHeader | null } & (
  { readonly transaction: TonTransaction } | Undecoded
);

/** The bytes are taken before anything reads them, and what they hold is what is decoded. */
function decode(account: string, cell: Cell, hash: string): Decoded {
  const raw = boc(cell);
  const stored = Cell.fromBase64(raw);
  const known = { raw, header: headerOf(stored) };
  const dead = (dead: DeadReason, reason: string) => ({ ...known, transaction: null, dead, reason });
  const found = stored.hash().toString('base64');
  if (found !== hash) return dead('wrong_hash', `the bytes have the hash ${found}`);
  try {
    return { ...known, transaction: decodeTransaction(account, stored) };
  } catch (error) {
    return dead('undecodable', messageOf(error));
  }
}

function recordOf(
  { lt, hash }: TransactionRef,
  { network, account, seqno, origin }: RecordOrigin,
  decoded: Decoded,
  { jettonWallets, contracts }: VerifiedContracts,
): LogRecord {
  const { raw, header, transaction } = decoded;
  const known = { account, lt, hash, prev: header?.prev ?? null };
  const shared = { version: TON_MESSAGE_VERSION, network, account, lt, hash, seqno } as const;
  const decoder = DECODER_VERSION;
  if (!transaction) {
    const { dead, reason } = decoded;
    const message = newMessage({ type: 'dead', ...shared, decoder, reason, raw });
    return { ...known, dead, transaction, message };
  }
  const { prev, time } = transaction;
  const message = newMessage({
    type: 'transaction',
    ...shared,
    prev,
    time,
    origin,
    decoder,
    transaction,
    jettonWallets,
    ...(Object.keys(contracts).length > 0 && { contracts }),
    raw,
  });
  return { ...known, dead: null, transaction, message };
}

function headerOf(cell: Cell): TransactionHeader | null {
  try {
    return transactionHeader(cell);
  } catch {
    return null;
  }
}
