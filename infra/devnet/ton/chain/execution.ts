import { setImmediate as breathe } from 'node:timers/promises';
import { beginCell, storeShardAccount } from '@ton/core';
import type { Inbound } from './messages';
import { type TransactionFacts, readTransaction } from './transaction';
import type { Tvm } from './tvm';

export interface ExecutedTransaction {
  /** Raw address. */
  readonly account: string;
  readonly lt: number;
  readonly previousLt: number;
  readonly hash: Buffer;
  readonly boc: Buffer;
}

/** What became of a message from outside. */
export type Receipt =
  | {
      readonly included: true;
      readonly seqno: number;
      readonly account: string;
      readonly lt: string;
      readonly hash: string;
    }
  | { readonly included: false; readonly reason: string };

/** A message from outside and who waits for its fate. */
export interface Pending extends Inbound {
  readonly settle: (receipt: Receipt) => void;
}

export interface BlockTask {
  readonly seqno: number;
  readonly utime: number;
  readonly config: string;
  readonly seed: Buffer;
  /** Logical time from which this block's transactions get theirs. */
  readonly startLt: number;
  /** Most transactions; messages beyond wait for the next block. */
  readonly limit: number;
  /** Current state of an account as a base64 `ShardAccount`; null when there never was one. */
  readonly account: (address: string) => string | null;
  readonly queue: readonly Inbound[];
  /** Takes the next message from outside. */
  readonly next: () => Pending | undefined;
  readonly onDropped: (message: Inbound, reason: string) => void;
}

export interface BlockBody {
  readonly transactions: readonly ExecutedTransaction[];
  /** Changed accounts as base64 `ShardAccount`s. */
  readonly accounts: ReadonlyMap<string, string>;
  /** Internal messages that did not fit. */
  readonly queue: readonly Inbound[];
  readonly endLt: number;
  /** To be called once the block is stored. */
  readonly settle: () => void;
}

const NO_ACCOUNT = beginCell()
  .store(storeShardAccount({ account: null, lastTransactionHash: 0n, lastTransactionLt: 0n }))
  .endCell()
  .toBoc()
  .toString('base64');

/** A message whose transaction nobody can read must not stop the chain. */
function readOrNull(boc: Buffer): TransactionFacts | null {
  try {
    return readTransaction(boc);
  } catch {
    return null;
  }
}

/**
 * Runs the transactions of one block: first what earlier blocks left over, then messages from outside, each followed
 * by the internal messages it causes, breadth first. Logical times only grow, which keeps them legal: a transaction is
 * later than its message and than everything before it on its account.
 */
export async function executeBlock(task: BlockTask, tvm: Tvm): Promise<BlockBody> {
  const { seqno, utime, config, seed } = task;
  const accounts = new Map<string, string>();
  const transactions: ExecutedTransaction[] = [];
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
    if (!facts) return 'its transaction cannot be read';
    // A deleted account leaves no trace: should it come back, its transactions begin anew.
    accounts.set(destination, facts.deleted ? NO_ACCOUNT : outcome.shardAccount);
    queue.push(...facts.sent);
    lt = facts.endLt;
    const { previousLt, hash } = facts;
    const executed = { account: destination, lt: facts.lt, previousLt, hash, boc };
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
      receipts.push(() => external.settle(receiptOf(result, seqno)));
    }
    await breathe();
  }

  return {
    transactions,
    accounts,
    queue,
    endLt: lt,
    settle: () => receipts.forEach(settle => settle()),
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
