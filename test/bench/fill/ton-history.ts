import { Buffer } from 'node:buffer';
import {
  Address,
  beginCell,
  comment,
  Dictionary,
  storeMessage,
  storeTransaction,
  type Cell,
  type Message,
  type Transaction,
} from '@ton/core';
import {
  encodeTonMessage,
  TON_MESSAGE_VERSION,
  TON_TRANSACTIONS,
  tonMessageKey,
} from '../../../contracts/chain/ton';
import type { TransactionRef } from '../../../contracts/chain/ton-transaction';
import type { Log, NewMessage } from '../../../contracts/ports/log';
import { toUnverifiedRecord } from '../../../indexers/ton/records';

const NETWORK = 'mainnet';
const NO_HASH = Buffer.alloc(32);

const accountOf = (n: number): Address => Address.parseRaw(`0:${n.toString(16).padStart(64, '3')}`);

/** The accounts that wallets trade with. */
export const OTHERS: readonly Address[] = Array.from({ length: 20 }, (_, n) => accountOf(1_000 + n));

/** Between the logical times of two transactions of an account. */
const LT_STEP = 10n;
/** Unix seconds. */
const START = 1_700_000_000;

/** Unix seconds of the n-th transaction. */
export function timeOf(n: number): number {
  return START + n;
}

/** A message that is sent in the n-th transaction of its sender, or becomes that of its receiver. */
export function internalMessage(
  n: number,
  { src, dest, value }: { readonly src: Address; readonly dest: Address; readonly value: bigint },
  body: Cell,
): Message {
  return {
    info: {
      type: 'internal',
      ihrDisabled: true,
      bounce: false,
      bounced: false,
      src,
      dest,
      value: { coins: value },
      ihrFee: 0n,
      forwardFee: 266_669n,
      createdLt: BigInt(n) * LT_STEP,
      createdAt: timeOf(n),
    },
    body,
  };
}

/** A transfer with a comment. */
const transfer = (n: number, src: Address, dest: Address): Message =>
  internalMessage(
    n,
    { src, dest, value: 1_000_000_000n + BigInt(n) },
    comment(`invoice ${n} of the bench, thank you`),
  );

/** What a wallet receives to send something. */
export function walletRequest(dest: Address): Message {
  return {
    info: { type: 'external-in', dest, importFee: 0n },
    body: beginCell().storeBuffer(Buffer.alloc(64, 7)).storeUint(698_983_191, 32).storeUint(1, 32).endCell(),
  };
}

/** What a transaction received and sent. */
export interface TransactionMessages {
  readonly received: Message;
  readonly sent: readonly Message[];
}

/** Of the n-th transaction of a wallet: incoming and outgoing transfers alternate. */
function transferOf(n: number, wallet: Address): TransactionMessages {
  const other = OTHERS[n % OTHERS.length]!;
  return n % 2 === 1
    ? { received: walletRequest(wallet), sent: [transfer(n, wallet, other)] }
    : { received: transfer(n, other, wallet), sent: [] };
}

/** The n-th transaction of an account. */
function transactionCell(
  n: number,
  account: Address,
  { received, sent }: TransactionMessages,
  prev: TransactionRef,
): Cell {
  const outMessages = Dictionary.empty<number, Message>(Dictionary.Keys.Uint(15), {
    serialize: (message, builder) => builder.storeRef(beginCell().store(storeMessage(message)).endCell()),
    parse: () => {
      throw new Error('only written');
    },
  });
  sent.forEach((message, place) => outMessages.set(place, message));
  const transaction = {
    address: BigInt(`0x${account.hash.toString('hex')}`),
    lt: BigInt(n) * LT_STEP + 5n,
    prevTransactionHash: BigInt(`0x${Buffer.from(prev.hash, 'base64').toString('hex').padStart(64, '0')}`),
    prevTransactionLt: BigInt(prev.lt),
    now: timeOf(n),
    outMessagesCount: outMessages.size,
    oldStatus: 'active',
    endStatus: 'active',
    inMessage: received,
    outMessages,
    totalFees: { coins: 2_500_000n },
    stateUpdate: { oldHash: NO_HASH, newHash: NO_HASH },
    description: {
      type: 'storage',
      storagePhase: { storageFeesCollected: 0n, statusChange: 'unchanged' },
    },
  };
  return beginCell()
    .store(storeTransaction(transaction as unknown as Transaction))
    .endCell();
}

export interface TonHistory {
  /** Friendly. */
  readonly address: string;
  /** Hash of its newest transaction, base64. */
  readonly hash: string;
}

/** Publishes the histories of accounts, as tail and backfill would. */
export async function fillTonHistories(
  log: Pick<Log, 'publish'>,
  accounts: number,
  length: number,
): Promise<TonHistory[]> {
  const histories: TonHistory[] = [];
  for (let account = 1; account <= accounts; account++) {
    const address = accountOf(account);
    const { hash } = await fillTonHistory(log, address, length, transferOf);
    histories.push({ address: address.toString(), hash });
  }
  return histories;
}

/** Publishes the whole history of an account. @returns its newest transaction */
export async function fillTonHistory(
  log: Pick<Log, 'publish'>,
  account: Address,
  length: number,
  messagesOf: (n: number, account: Address) => TransactionMessages,
): Promise<TransactionRef> {
  const messages: NewMessage[] = [];
  let prev: TransactionRef = { lt: '0', hash: '' };
  for (let n = 1; n <= length; n++) {
    const { ref, message } = tonTransaction(n, account, messagesOf(n, account), prev);
    messages.push(message);
    prev = ref;
  }
  const marker = {
    type: 'backfilled',
    watch: 1,
    version: TON_MESSAGE_VERSION,
    network: NETWORK,
    account: account.toRawString(),
    downTo: '0',
  } as const;
  messages.push({ key: tonMessageKey(marker), value: encodeTonMessage(marker) });
  await log.publish(TON_TRANSACTIONS.name, messages);
  return prev;
}

/** The record of the n-th transaction of an account, in the block of that number. @param prev the one before */
export function tonTransaction(
  n: number,
  account: Address,
  messages: TransactionMessages,
  prev: TransactionRef,
): { readonly ref: TransactionRef; readonly message: NewMessage } {
  const cell = transactionCell(n, account, messages, prev);
  const ref = { lt: String(n * Number(LT_STEP) + 5), hash: cell.hash().toString('base64') };
  const of = { network: NETWORK, account: account.toRawString(), seqno: n, origin: 'tail' } as const;
  const record = toUnverifiedRecord(cell, ref, of);
  if (record.dead) throw new Error('the transaction cannot be decoded');
  return { ref, message: record.message };
}
