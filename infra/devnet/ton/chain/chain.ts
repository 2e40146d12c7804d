import { setImmediate } from 'node:timers/promises';
import type { Logger } from 'pino';
import { TON_GLOBAL_IDS, type TonNetwork } from '../../../../contracts/network/network';
import { type ElectionSchedule, electionSchedule } from '../elections/schedule';
import { createTimer } from './timer';
import type { Block } from './block';
import { chainClock } from './clock';
import { type ChainConfigs, chainConfig } from './config';
import type { Receipt } from './execution';
import { type GenesisAccount, createGenesis } from './genesis';
import type { Ledger } from './ledger';
import { createMempool } from './mempool';
import type { Inbound } from './messages';
import { createProducer } from './producer';
import { merge, split } from './shards';
import type { Simulation } from './simulation';
import type { Tvm } from '../../../engines/tvm/tvm';

export interface ChainOptions {
  readonly network: TonNetwork;
  readonly ledger: Ledger;
  readonly tvm: Tvm;
  /** Time between blocks when nothing happens. */
  readonly blockIntervalMs: number;
  /** Created when missing. */
  readonly accounts: readonly GenesisAccount[];
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly logger: Logger;
}

export interface Chain {
  readonly network: TonNetwork;
  readonly elections: ElectionSchedule;
  readonly config: ChainConfigs;
  readonly ledger: Ledger;
  readonly zeroState: Block;
  tip(): Block;
  /**
   * Resolves once the message is stored with its transaction, or the account refused it. The messages it sends are
   * processed in the same block or, when that is full, the next ones. Rejects with `Unavailable`.
   */
  submit(message: Inbound): Promise<Receipt>;
  /**
   * As a real node answers: resolves once the account has accepted the message in its present state, without waiting for a
   * block, in which it may still be refused. Rejects with `Unavailable`.
   * @returns why the account refused; null when it accepted
   */
  offer(message: Inbound): Promise<string | null>;
  /** Calls back after each stored block. @returns a function that unsubscribes */
  onBlock(listener: (block: Block) => void): () => void;
  onRollback(listener: () => void): void;
  /** Moves the chain's clock ahead permanently. Resolves with the utime of the first block after that. */
  advanceTime(seconds: number): Promise<number>;
  readonly simulation: Simulation;
  /** Produces blocks until the signal; resolves when the current block is stored. */
  run(signal: AbortSignal): Promise<void>;
}

/** A message waits this long for others before its block is produced. */
const BATCH_MS = 50;
const RETRY_MS = 1_000;
const MAX_MEMPOOL = 1_000;

export function openChain(options: ChainOptions): Chain {
  const { network, ledger, tvm, blockIntervalMs, accounts, now, logger } = options;
  const zeroState = createGenesis(ledger, network, accounts, Math.floor(now() / 1000));
  const elections = electionSchedule(zeroState.utime);
  const config = chainConfig(network, elections);
  const clock = chainClock(ledger, now);
  const mempool = createMempool(MAX_MEMPOOL, now);
  const producer = createProducer({
    globalId: TON_GLOBAL_IDS[network],
    ledger,
    tvm,
    config,
    mempool,
    clock,
    logger,
  });
  const timer = createTimer();
  const operations: (() => Promise<void>)[] = [];
  const blockListeners = new Set<(block: Block) => void>();
  const rollbackListeners = new Set<() => void>();
  let lastBlockAt = -Infinity;
  let paused = false;

  async function produce(reshard?: typeof split): Promise<Block> {
    const block = await producer.produce(reshard);
    lastBlockAt = now();
    for (const listener of blockListeners) listener(block);
    return block;
  }

  /** Runs an operation between two blocks. */
  const betweenBlocks = <T>(operation: () => T | Promise<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      operations.push(() => Promise.resolve().then(operation).then(resolve, reject));
      timer.wake();
    });

  const produceBetween = (reshard?: typeof split): Promise<number> =>
    betweenBlocks(async () => (await produce(reshard)).seqno);

  function untilNextBlock(): number {
    if (paused) return Infinity;
    if (producer.hasQueued()) return 0;
    const regular = lastBlockAt + blockIntervalMs;
    const prompt = mempool.oldest === null ? Infinity : mempool.oldest + BATCH_MS;
    return Math.min(regular, prompt) - now();
  }

  async function step(): Promise<void> {
    const operation = operations.shift();
    if (operation) return operation();
    const wait = untilNextBlock();
    if (wait > 0) return timer.sleep(wait);
    try {
      await produce();
    } catch (error) {
      logger.error({ err: error }, 'block production failed');
      await timer.sleep(RETRY_MS);
    }
  }

  return {
    network,
    elections,
    config,
    ledger,
    zeroState,
    tip: producer.tip,
    submit(message) {
      const receipt = mempool.add(message);
      timer.wake();
      return receipt;
    },
    async offer(message) {
      const refusal = mempool.has(message) ? null : await producer.refusal(message);
      if (refusal !== null) return refusal;
      const receipt = mempool.add(message);
      timer.wake();
      // A full mempool rejects at once.
      await Promise.race([receipt, setImmediate()]);
      receipt.catch((error: unknown) => logger.warn({ err: error }, 'accepted message dropped'));
      return null;
    },
    onBlock(listener) {
      blockListeners.add(listener);
      return () => void blockListeners.delete(listener);
    },
    onRollback: listener => void rollbackListeners.add(listener),
    advanceTime: seconds =>
      betweenBlocks(async () => {
        clock.moveAhead(seconds);
        return (await produce()).utime;
      }),
    simulation: {
      pause: () => {
        paused = true;
      },
      resume: () => {
        paused = false;
        timer.wake();
      },
      produceBlock: () => produceBetween(),
      splitShards: () => produceBetween(split),
      mergeShards: () => produceBetween(merge),
      rollbackTo: seqno =>
        betweenBlocks(() => {
          producer.rollbackTo(seqno);
          for (const listener of rollbackListeners) listener();
        }),
    },
    async run(signal) {
      signal.addEventListener('abort', timer.wake, { once: true });
      while (!signal.aborted || operations.length > 0) await step();
      mempool.close();
    },
  };
}
