import { Buffer } from 'node:buffer';
import {
  Address,
  beginCell,
  Cell,
  Dictionary,
  storeTransaction,
  type Message,
  type Transaction,
} from '@ton/core';
import type { TransactionRef } from '../../contracts/chain/ton-transaction';

export interface TransactionScript {
  /** Raw. */
  readonly account: string;
  readonly lt: bigint;
  readonly prev: TransactionRef;
  readonly time: number;
  /** Of a message received from somebody. */
  readonly body?: Cell;
  /** The message that caused it; default: none, it is a storage transaction then. */
  readonly received?: Cell | undefined;
  /** Messages that it sends. */
  readonly sent?: readonly Cell[];
}

const NO_HASH = Buffer.alloc(32);

const hashNumber = (hash: string): bigint =>
  hash === '' ? 0n : BigInt(`0x${Buffer.from(hash, 'base64').toString('hex')}`);

const SENDER = Address.parseRaw(`0:${'5e'.repeat(32)}`);

const messageTo = (account: string, body: Cell): Message => ({
  info: {
    type: 'internal',
    ihrDisabled: true,
    bounce: false,
    bounced: false,
    src: SENDER,
    dest: Address.parseRaw(account),
    value: { coins: 1n },
    ihrFee: 0n,
    forwardFee: 0n,
    createdLt: 1n,
    createdAt: 1,
  },
  body,
});

const storage = {
  type: 'storage',
  storagePhase: { storageFeesCollected: 0n, statusChange: 'unchanged' },
};
const generic = {
  type: 'generic',
  creditFirst: true,
  computePhase: { type: 'skipped', reason: 'no-gas' },
  aborted: false,
  destroyed: false,
};

/** The cell of a transaction that computes nothing. */
export function transactionCell({
  account,
  lt,
  prev,
  time,
  body,
  received,
  sent = [],
}: TransactionScript): Cell {
  const outMessages = Dictionary.empty(Dictionary.Keys.Uint(15), Dictionary.Values.Cell());
  sent.forEach((message, index) => outMessages.set(index, message));
  const transaction = {
    address: BigInt(`0x${account.split(':')[1]!}`),
    lt,
    prevTransactionHash: hashNumber(prev.hash),
    prevTransactionLt: BigInt(prev.lt),
    now: time,
    outMessagesCount: sent.length,
    oldStatus: 'active',
    endStatus: 'active',
    ...(body && { inMessage: messageTo(account, body) }),
    outMessages,
    totalFees: { coins: lt % 1_000n },
    stateUpdate: { oldHash: NO_HASH, newHash: NO_HASH },
    description: received ? generic : storage,
  };
  const cell = beginCell()
    .store(storeTransaction(transaction as unknown as Transaction))
    .endCell();
  return received ? withReceived(cell, received) : cell;
}

/** The transaction with the cell of a message as it is: `^[in_msg:(Maybe ^(Message Any)) ...]` is its first reference. */
function withReceived(transaction: Cell, received: Cell): Cell {
  const messages = transaction.refs[0]!.beginParse().skip(1);
  const replaced = beginCell().storeMaybeRef(received).storeSlice(messages).endCell();
  return new Cell({ bits: transaction.bits, refs: [replaced, ...transaction.refs.slice(1)] });
}

/** A cell with the header of a transaction and an undecodable rest. */
export function strangeCell({ account, lt, prev, time }: TransactionScript): Cell {
  return beginCell()
    .storeUint(0b0111, 4)
    .storeUint(BigInt(`0x${account.split(':')[1]!}`), 256)
    .storeUint(lt, 64)
    .storeUint(hashNumber(prev.hash), 256)
    .storeUint(BigInt(prev.lt), 64)
    .storeUint(time, 32)
    .endCell();
}
