import { setImmediate } from 'node:timers/promises';
import { type Cell, beginCell, storeShardAccount } from '@ton/core';
import type { Inbound } from './messages';
import { type TransactionFacts, readTransaction } from './transaction';
import type { Tvm } from '../../../engines/tvm/tvm';

export interface ExecutedTransaction {
  /** Raw address. */
  readonly account: string;
  readonly lt: number;
  readonly previousLt: number;
  readonly hash: Buffer;
  readonly boc: Buffer;
}

/** A transaction of the block that is being made. */
export interface NewTransaction extends ExecutedTransaction {
  readonly cell: Cell;
}

/** The outcome of an external message. */
export type Receipt =
  | {
      readonly included: true;
      readonly seqno: number;
      readonly account: string;
      readonly lt: string;
      readonly hash: string;
    }
  | { readonly included: false; readonly reason: string };

/** An external message that waits for its receipt. */
export interface Pending extends Inbound {
  readonly resolve: (receipt: Receipt) => void;
}

export interface BlockTask {
  readonly seqno: number;
  readonly utime: number;
  readonly config: string;
  readonly seed: Buffer;
  /** Lowest logical time of this block's transactions. */
  readonly startLt: number;
  /** Maximum number of transactions; further messages wait for the next block. */
  readonly limit: number;
  /** Current state of an account as a base64 `ShardAccount`; null when there never was one. */
  readonly account: (address: string) => string | null;
  readonly queue: readonly Inbound[];
  /** Takes the next external message. */
  readonly next: () => Pending | undefined;
  readonly onDropped: (message: Inbound, reason: string) => void;
}

export interface BlockBody {
  /** By logical time. */
  readonly transactions: readonly NewTransaction[];
  /** Changed accounts as base64 `ShardAccount`s. */
  readonly accounts: ReadonlyMap<string, string>;
  /** Internal messages that did not fit. */
  readonly queue: readonly Inbound[];
  readonly endLt: number;
  /** Call once the block is stored. */
  readonly resolveReceipts: () => void;
}

export const NO_ACCOUNT = beginCell()
  .store(storeShardAccount({ account: null, lastTransactionHash: 0n, lastTransactionLt: 0n }))
  .endCell()
  .toBoc()
  .toString('base64');

/** A transaction that cannot be parsed must not stop the chain. */
function readOrNull(boc: Buffer): TransactionFacts | null {
  try {
    return readTransaction(boc);
  } catch {
    return null;
  }
}

/**
 * Executes the transactions of one block: first the queued messages of earlier blocks, then external messages, each
 * followed by the internal messages it causes, breadth first. Logical times only grow, so a transaction is later than its
 * message and than all earlier transactions of its account, as required.
 */
export async function executeBlock(task: BlockTask, tvm: Tvm): Promise<BlockBody> {
  const { seqno, utime, config, seed } = task;
  const accounts = new Map<string, string>();
  const transactions: NewTransaction[] = [];
  const receipts: (() => void)[] = [];
  const queue = [...task.queue];
  let lt = task.startLt;

  const run = async ({ cell, destination }: Inbound): Promise<ExecutedTransaction | string> => {
    const shardAccount = accounts.get(destination) ?? task.account(destination) ?? NO_ACCOUNT;
    const call = { config, shardAccount, message: cell, utime, lt: BigInt(lt), seed };
    const outcome = await tvm.transact(call);
    if (!outcome.done) return outcome.reason;
    const boc = Buffer.from(outcome.transaction, 'base64');
    const facts = readOrNull(boc);
    if (!facts) return 'its transaction cannot be parsed';
    // The transactions of an account that is created again after its deletion start at the first.
    accounts.set(destination, facts.deleted ? NO_ACCOUNT : outcome.shardAccount);
    queue.push(...facts.sent);
    lt = facts.endLt;
    const { previousLt, cell: transaction } = facts;
    const executed = {
      account: destination,
      lt: facts.lt,
      previousLt,
      hash: transaction.hash(),
      boc,
      cell: transaction,
    };
    transactions.push(executed);
    return executed;
  };

  while (transactions.length < task.limit) {
    const internal = queue.shift();
    if (internal) {
      const result = await run(internal);
      if (typeof result === 'string') task.onDropped(internal, result);
    } else {
      const external = task.next();
      if (!external) break;
      const result = await run(external);
      receipts.push(() => external.resolve(receiptOf(result, seqno)));
    }
    await setImmediate();
  }

  return {
    transactions,
    accounts,
    queue,
    endLt: lt,
    resolveReceipts: () => receipts.forEach(resolve => resolve()),
  };
}

const receiptOf = (result: ExecutedTransaction | string, seqno: number): Receipt =>
  typeof result === 'string'
    ? { included: false, reason: result }
    : {
        included: true,
        seqno,
        account: result.account,
        lt: result.lt.toString(),
        hash: result.hash.toString('base64'),
      };
