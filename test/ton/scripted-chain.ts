import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Address, beginCell, Cell, external, storeMessage, type Message } from '@ton/core';
import type { TransactionRef } from '../../contracts/chain/ton-transaction';
import {
  SourceError,
  type ListedTransaction,
  type MasterBlock,
  type ShardBlock,
  type TonSource,
} from '../../indexers/ton/source';
import { strangeCell, transactionCell, type TransactionScript } from './transaction-cell';

export interface Recorded extends ListedTransaction {
  readonly cell: Cell;
  readonly seqno: number;
  /** Grows when the account is deleted. */
  readonly generation: number;
  readonly received: Cell | undefined;
  readonly sent: readonly Cell[];
}

/** A storage transaction of an account (raw), or one that a message causes and that sends values to others. */
export type ScriptedTransaction =
  string | { readonly account: string; readonly received: Cell; readonly sendsTo: readonly string[] };

export interface Mined {
  /** The next one is read when the one before it is executed. */
  readonly accounts?: Iterable<ScriptedTransaction>;
  /** As `accounts`, in shard blocks that are final but not listed. */
  readonly unlisted?: Iterable<ScriptedTransaction>;
  /** The shards that make a block, by id; default: the ones of the block before. */
  readonly shards?: readonly string[];
  /** Transactions that cannot be decoded. */
  readonly strange?: boolean;
  /** Of a message that each transaction received. */
  readonly body?: Cell;
}

export const WHOLE = '-9223372036854775808';
export const HALVES = ['4611686018427387904', '-4611686018427387904'];

const PAGE = 20;
/** Unix seconds; there is a block every second. */
const GENESIS_TIME = 1_700_000_000;
const hash = (text: string): string => createHash('sha256').update(text).digest('base64');

/** Raw address of the nth account; odd ones lie in the upper half of the workchain. */
export function accountAt(n: number): string {
  return `0:${n % 2 ? 'f' : '0'}${n.toString(16).padStart(63, '0')}`;
}

/** A message with a value between two accounts. */
export function valueMessage(src: string, dest: string, createdLt: bigint): Cell {
  const message: Message = {
    info: {
      type: 'internal',
      ihrDisabled: true,
      bounce: true,
      bounced: false,
      src: Address.parseRaw(src),
      dest: Address.parseRaw(dest),
      value: { coins: 1_000n },
      ihrFee: 0n,
      forwardFee: 10n,
      createdLt,
      createdAt: GENESIS_TIME,
    },
    body: Cell.EMPTY,
  };
  return beginCell().store(storeMessage(message)).endCell();
}

/** An external message to an account, unlike every other one. */
export function externalMessage(account: string, nonce: number): Cell {
  const body = beginCell().storeUint(nonce, 32).endCell();
  return beginCell()
    .store(storeMessage(external({ to: Address.parseRaw(account), body })))
    .endCell();
}

/** A chain that a test scripts, with real transaction cells, and a source that reads it. */
export class ScriptedChain {
  readonly blocks: MasterBlock[] = [];
  readonly transactions = new Map<string, Recorded[]>();
  readonly #generations = new Map<string, number>();
  #lt = 1_000n;
  #shards: { shard: string; seqno: number }[] = [{ shard: WHOLE, seqno: 100 }];

  constructor(readonly name = 'local') {
    this.mine();
  }

  get tip(): number {
    return this.blocks.length;
  }

  ltsOf(account: string): string[] {
    return (this.transactions.get(account) ?? []).map(({ lt }) => lt);
  }

  /** The source forgets the account: its next transaction starts a new chain. */
  delete(account: string): void {
    this.#generations.set(account, this.#generation(account) + 1);
  }

  #generation(account: string): number {
    return this.#generations.get(account) ?? 0;
  }

  mine({ accounts = [], unlisted = [], shards, ...mined }: Mined = {}): number {
    const seqno = this.tip + 1;
    const missing = Array.from(unlisted, tx => this.#execute(tx, seqno, mined));
    const step = missing.length > 0 || shards ? 2 : 1;
    const ids = shards ?? this.#shards.map(({ shard }) => shard);
    const before = Math.max(...this.#shards.map(shard => shard.seqno));
    this.#shards = ids.map(shard => ({
      shard,
      seqno: (this.#shards.find(known => known.shard === shard)?.seqno ?? before) + step,
    }));
    const listed = Array.from(accounts, tx => this.#execute(tx, seqno, mined));
    const basechain = this.#shards.map(({ shard, seqno: own }, index): ShardBlock => {
      const mine = ids.length === 1 ? listed : listed.filter(tx => (tx.account[2] === 'f' ? 1 : 0) === index);
      return {
        workchain: 0,
        shard,
        seqno: own,
        rootHash: hash(`${this.name}/${shard}/${own}`),
        transactions: mine,
      };
    });
    const rootHash = hash(`${this.name}/${seqno}`);
    const master = { workchain: -1, shard: WHOLE, seqno, rootHash, transactions: [] };
    this.blocks.push({ seqno, rootHash, shards: [master, ...basechain] });
    return seqno;
  }

  #execute(scripted: ScriptedTransaction, seqno: number, { strange, body }: Mined): ListedTransaction {
    const { account, received, sendsTo } =
      typeof scripted === 'string' ? { account: scripted, received: undefined, sendsTo: [] } : scripted;
    const chain = this.transactions.get(account) ?? [];
    const generation = this.#generation(account);
    const last = chain.findLast(tx => tx.generation === generation);
    this.#lt += 7n;
    const lt = this.#lt;
    const sent = sendsTo.map((dest, index) => valueMessage(account, dest, lt + 1n + BigInt(index)));
    this.#lt += BigInt(sent.length);
    const script: TransactionScript = {
      account,
      lt,
      prev: last ? { lt: last.lt, hash: last.hash } : { lt: '0', hash: '' },
      time: GENESIS_TIME + seqno,
      ...(body && { body }),
      received,
      sent,
    };
    const cell = strange ? strangeCell(script) : transactionCell(script);
    const listed = { account, lt: String(lt), hash: cell.hash().toString('base64') };
    this.transactions.set(account, [...chain, { ...listed, cell, seqno, generation, received, sent }]);
    return listed;
  }

  source(): TonSource {
    return {
      tip: async () => this.tip,
      block: async seqno => this.blocks[seqno - 1] ?? null,
      blockAt: async utime => this.blocks[utime - GENESIS_TIME - 1] ?? null,
      last: async (account, seqno) => {
        const found = this.transactions.get(account)?.findLast(tx => tx.seqno <= seqno);
        return found && found.generation === this.#generation(account)
          ? { lt: found.lt, hash: found.hash }
          : null;
      },
      transactions: async (account: string, from: TransactionRef) => {
        const chain = this.transactions.get(account) ?? [];
        const at = chain.findIndex(tx => tx.lt === from.lt && tx.hash === from.hash);
        const first = chain.findIndex(tx => tx.generation === chain[at]?.generation);
        if (at < 0) throw new SourceError(`${account}: no transaction ${from.lt}`);
        return chain
          .slice(Math.max(first, at + 1 - PAGE), at + 1)
          .reverse()
          .map(tx => tx.cell);
      },
      waitForBlock: timeoutMs => sleep(Math.min(timeoutMs, 2)),
      close: async () => undefined,
    };
  }
}
