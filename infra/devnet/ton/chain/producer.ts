import type { Logger } from 'pino';
import { type Block, blockHash, blockSeed } from './block';
import type { ChainClock } from './clock';
import type { ChainConfigs } from './config';
import { NO_ACCOUNT, type Pending, executeBlock } from './execution';
import type { Ledger } from './ledger';
import type { Mempool } from './mempool';
import type { Inbound } from './messages';
import { type ShardBlock, advance } from './shards';
import type { Tvm } from './tvm';

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
  readonly ledger: Ledger;
  readonly tvm: Tvm;
  readonly config: ChainConfigs;
  readonly mempool: Mempool;
  readonly clock: ChainClock;
  readonly logger: Logger;
}

const MAX_TRANSACTIONS = 256;
const LT_ALIGN = 1_000_000;

/** Blocks start at whole millions of logical time, as on the real network. */
const startLt = (previous: Block): number => (Math.floor(previous.endLt / LT_ALIGN) + 1) * LT_ALIGN;

/** @param ledger must hold at least the zero state */
export function createProducer(options: ProducerOptions): Producer {
  const { ledger, tvm, config, mempool, clock, logger } = options;
  let tip = ledger.tip()!;
  let queue: readonly Inbound[] = ledger.queue();

  async function attempt(reshard: Reshard, taken: Pending[]): Promise<() => void> {
    const seqno = tip.seqno + 1;
    const utime = Math.max(tip.utime, clock.utime());
    const body = await executeBlock(
      {
        seqno,
        utime,
        config: config.at(utime).boc,
        seed: blockSeed(tip.rootHash),
        startLt: startLt(tip),
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
    const transactions = body.transactions.map(({ hash }) => hash);
    const rootHash = blockHash(tip.rootHash, { seqno, utime, branch: ledger.branch(), transactions });
    const block = { seqno, utime, endLt: body.endLt, rootHash, shards: reshard(tip.shards) };
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
        lt: BigInt(startLt(tip)),
        seed: blockSeed(tip.rootHash),
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
