import type { Logger } from 'pino';
import { type Block, blockSeed, startLtAfter } from './block';
import { nextBlock } from './block-cells/next-block';
import type { ChainClock } from './clock';
import type { ChainConfigs } from './config';
import { NO_ACCOUNT, type Pending, executeBlock } from './execution';
import type { Ledger } from './ledger';
import type { Mempool } from './mempool';
import type { Inbound } from './messages';
import { type ShardBlock, advance } from './shards';
import type { Tvm } from '../../../engines/tvm/tvm';

type Reshard = (shards: readonly ShardBlock[]) => ShardBlock[];

/** Produces blocks. Must not be called concurrently. */
export interface Producer {
  tip(): Block;
  /** Why an account would not accept a message in its present state; null when it would. */
  refusal(message: Inbound): Promise<string | null>;
  /** Whether internal messages are left that did not fit into the last block. */
  hasQueued(): boolean;
  /** Produces and stores a block, then resolves the receipts of its messages. When it throws, nothing has changed. */
  produce(reshard?: Reshard): Promise<Block>;
  rollbackTo(seqno: number): void;
}

export interface ProducerOptions {
  /** Of the network. */
  readonly globalId: number;
  readonly ledger: Ledger;
  readonly tvm: Tvm;
  readonly config: ChainConfigs;
  readonly mempool: Mempool;
  readonly clock: ChainClock;
  readonly logger: Logger;
}

const MAX_TRANSACTIONS = 256;

/** @param ledger must hold at least the zero state */
export function createProducer(options: ProducerOptions): Producer {
  const { globalId, ledger, tvm, config, mempool, clock, logger } = options;
  let tip = ledger.tip()!;
  let queue: readonly Inbound[] = ledger.queue();

  async function attempt(reshard: Reshard, taken: Pending[]): Promise<() => void> {
    const seqno = tip.seqno + 1;
    const utime = Math.max(tip.utime, clock.utime());
    const branch = ledger.branch();
    const lt = startLtAfter(tip);
    const body = await executeBlock(
      {
        seqno,
        utime,
        config: config.at(utime).boc,
        seed: blockSeed(tip.rootHash, branch),
        startLt: lt,
        limit: MAX_TRANSACTIONS,
        account: address => ledger.account(address, tip.seqno)?.toString('base64') ?? null,
        queue,
        next: () => {
          const message = mempool.take();
          if (message) taken.push(message);
          return message;
        },
        onDropped: ({ destination }, reason) => logger.warn({ destination, reason }, 'message dropped'),
      },
      tvm,
    );
    const { block } = nextBlock(tip, {
      globalId,
      utime,
      startLt: lt,
      endLt: body.endLt,
      branch,
      shards: reshard(tip.shards),
      transactions: body.transactions,
    });
    ledger.append(block, body);
    tip = block;
    queue = body.queue;
    return body.resolveReceipts;
  }

  return {
    tip: () => tip,
    async refusal({ cell, destination }) {
      const utime = Math.max(tip.utime, clock.utime());
      const outcome = await tvm.transact({
        config: config.at(utime).boc,
        shardAccount: ledger.account(destination, tip.seqno)?.toString('base64') ?? NO_ACCOUNT,
        message: cell,
        utime,
        lt: BigInt(startLtAfter(tip)),
        seed: blockSeed(tip.rootHash, ledger.branch()),
      });
      return outcome.done ? null : outcome.reason;
    },
    hasQueued: () => queue.length > 0,
    async produce(reshard = advance) {
      const taken: Pending[] = [];
      try {
        const resolveReceipts = await attempt(reshard, taken);
        resolveReceipts();
        return tip;
      } catch (error) {
        mempool.restore(taken);
        throw error;
      }
    },
    rollbackTo(seqno) {
      if (seqno < 1 || seqno > tip.seqno) throw new RangeError(`unknown block ${seqno}`);
      ledger.truncateAfter(seqno);
      tip = ledger.tip()!;
      queue = [];
    },
  };
}
