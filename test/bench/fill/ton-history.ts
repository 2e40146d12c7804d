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

/** The message of a transfer with a comment. */
const transfer = (n: number, src: Address, dest: Address): Message => ({
  info: {
    type: 'internal',
    ihrDisabled: true,
    bounce: false,
    bounced: false,
    src,
    dest,
    value: { coins: 1_000_000_000n + BigInt(n) },
    ihrFee: 0n,
    forwardFee: 266_669n,
    createdLt: BigInt(n) * 10n,
    createdAt: 1_700_000_000 + n,
  },
  body: comment(`invoice ${n} of the bench, thank you`),
});

const request = (dest: Address): Message => ({
  info: { type: 'external-in', dest, importFee: 0n },
  body: beginCell().storeBuffer(Buffer.alloc(64, 7)).storeUint(698_983_191, 32).storeUint(1, 32).endCell(),
});

/** The n-th transaction of a wallet: incoming and outgoing transfers alternate. */
function transactionCell(n: number, wallet: Address, prev: TransactionRef): Cell {
  const pays = n % 2 === 1;
  const other = OTHERS[n % OTHERS.length]!;
  const outMessages = Dictionary.empty<number, Message>(Dictionary.Keys.Uint(15), {
    serialize: (message, builder) => builder.storeRef(beginCell().store(storeMessage(message)).endCell()),
    parse: () => {
      throw new Error('only written');
    },
  });
  if (pays) outMessages.set(0, transfer(n, wallet, other));
  const transaction = {
    address: BigInt(`0x${wallet.hash.toString('hex')}`),
    lt: BigInt(n) * 10n + 5n,
    prevTransactionHash: BigInt(`0x${Buffer.from(prev.hash, 'base64').toString('hex').padStart(64, '0')}`),
    prevTransactionLt: BigInt(prev.lt),
    now: 1_700_000_000 + n,
    outMessagesCount: outMessages.size,
    oldStatus: 'active',
    endStatus: 'active',
    inMessage: pays ? request(wallet) : transfer(n, other, wallet),
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
    const raw = address.toRawString();
    const messages: NewMessage[] = [];
    let prev: TransactionRef = { lt: '0', hash: '' };
    for (let n = 1; n <= length; n++) {
      const cell = transactionCell(n, address, prev);
      const ref = { lt: String(n * 10 + 5), hash: cell.hash().toString('base64') };
      const record = toUnverifiedRecord(cell, ref, {
        network: NETWORK,
        account: raw,
        seqno: n,
        origin: 'tail',
      });
      if (record.dead) throw new Error('the transaction cannot be decoded');
      messages.push(record.message);
      prev = ref;
    }
    const marker = {
      type: 'backfilled',
      watch: 1,
      version: TON_MESSAGE_VERSION,
      network: NETWORK,
      account: raw,
      downTo: '0',
    } as const;
    messages.push({ key: tonMessageKey(marker), value: encodeTonMessage(marker) });
    await log.publish(TON_TRANSACTIONS.name, messages);
    histories.push({ address: address.toString(), hash: prev.hash });
  }
  return histories;
}
