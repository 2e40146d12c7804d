import { setMaxListeners } from 'node:events';
import type { Logger } from 'pino';
import type { Block, LatestBlock } from '../../contracts/chain/ton-v4';
import { immutable } from '../../contracts/http/immutable-response';
import type { BlockChanges, BlockNotification } from '../../contracts/http/ton/rpc';
import type { TonNodes } from '../../contracts/ports/ton-nodes';
import { Problem } from '../../contracts/problem/problem';
import { retryForever } from '../../contracts/retry/retry';
import type { Asker, Gateway } from './gateway';
import { readBlock } from './reads';

/** The messages of a block, one for each of the two WebSockets. */
export interface BlockFrames {
  readonly notification: BlockNotification;
  readonly changes: BlockChanges;
}

export interface BlockWatcher {
  /** Called for the newest block, then for every next one. */
  onBlock(frames: BlockFrames): void;
  /** No block can follow the last one. @param problem 503 `not_ready` */
  onEnd(problem: Problem): void;
}

export interface BlockStreamDeps {
  readonly gateway: Gateway;
  readonly nodes: Pick<TonNodes, 'notifications' | 'onReplaced'>;
  readonly logger: Logger;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Milliseconds between two reads of the newest block without a notification; default 400, the time between two blocks. */
  readonly pollMs?: number;
}

export interface BlockStream {
  /** @returns a function that ends it */
  watch(watcher: BlockWatcher): () => void;
}

/** More blocks than that after an outage are read faster one by one than sent to every watcher. */
const MAX_BEHIND = 1_000;
const RETRY_AFTER_SECONDS = 1;
const MAX_RETRY_MS = 2_000;

/** Blocks are read once for all watchers. */
const ASKER: Asker = { caller: 'streams of blocks', admit: async () => undefined };

/** Follows the blocks of a network once for all watchers, and while there are any. */
export function createBlockStream(deps: BlockStreamDeps): BlockStream {
  const { gateway, nodes, logger, now, pollMs = 400 } = deps;
  const watchers = new Set<BlockWatcher>();
  let following: AbortController | null = null;
  let newest: BlockFrames | null = null;

  nodes.onReplaced(() => endAll('The network was rolled back.'));

  function start(): void {
    following = new AbortController();
    setMaxListeners(0, following.signal);
    void follow(following.signal);
  }

  function stop(): void {
    following?.abort();
    following = null;
    newest = null;
  }

  function endAll(reason: string): void {
    const ended = [...watchers];
    watchers.clear();
    stop();
    for (const watcher of ended) watcher.onEnd(Problem.unavailable(reason, RETRY_AFTER_SECONDS));
  }

  async function follow(signal: AbortSignal): Promise<void> {
    const blocks = nodes.notifications();
    try {
      await retryForever(
        async onProgress => {
          await readOn(signal);
          onProgress();
          await blocks.waitForBlock(pollMs, signal);
        },
        {
          signal,
          maxDelayMs: MAX_RETRY_MS,
          onError: err => logger.warn({ err }, 'blocks for watchers could not be read'),
        },
      );
    } finally {
      blocks.close();
    }
  }

  /** Sends the blocks up to the newest, in order. */
  async function readOn(signal: AbortSignal): Promise<void> {
    const { block: latest } = await gateway.newest(0);
    const { seqno: end } = latest.last;
    const from = newest ? newest.changes.seqno + 1 : end;
    if (end - from >= MAX_BEHIND) return endAll('Too many blocks were missed.');
    for (let seqno = from; seqno <= end; seqno++) {
      const body = await gateway.asOf(seqno, readBlock(seqno), ASKER);
      if (!body) throw new Error(`no node has block ${seqno}`);
      if (signal.aborted) return;
      newest = framesOf(seqno, body.parse(), timeOf(seqno, latest), Math.floor(now() / 1_000));
      for (const { onBlock } of watchers) onBlock(newest);
    }
  }

  const timeOf = (seqno: number, { last, now: time }: LatestBlock): number =>
    seqno === last.seqno || !newest ? time : newest.changes.lastUtime;

  return {
    watch(watcher) {
      watchers.add(watcher);
      if (newest) watcher.onBlock(newest);
      else if (!following) start();
      return () => {
        if (watchers.delete(watcher) && watchers.size === 0) stop();
      };
    },
  };
}

function framesOf(seqno: number, { block: { shards } }: Block, time: number, now: number): BlockFrames {
  const changed: Record<string, { lt: string; hash: string }> = {};
  for (const { transactions } of shards)
    for (const { account, lt, hash } of transactions) {
      const known = changed[account];
      if (!known || BigInt(known.lt) < BigInt(lt)) changed[account] = { lt, hash };
    }
  return {
    notification: immutable({ seqno, time, now }),
    changes: immutable({ seqno, lastUtime: time, changed }),
  };
}
