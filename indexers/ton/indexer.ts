import { setTimeout as sleep } from 'node:timers/promises';
import { TON_DEAD_LETTERS, TON_TRANSACTIONS } from '../../contracts/chain/ton';
import type { EventStore } from '../../contracts/ports/event-store';
import { followWatched } from './activation';
import { BACKFILL_COLLECTIONS } from './backfill-progress';
import type { Progress, TailDeps } from './deps';
import { Hole, messageOf, WrongChain } from './errors';
import { cursorWrite, frontierFence, loadCursor, TAIL_COLLECTIONS } from './state';
import { followChain } from './tail';
import type { Exclusively } from '../lease';
import { together } from '../together';
import { createTurns, type Turns } from './turns';

export interface TonIndexerDeps extends Omit<TailDeps, 'window' | 'poll' | 'retry'> {
  readonly store: EventStore;
  /** Default: no other process is there. */
  readonly exclusively?: Exclusively;
  /** Default 16. */
  readonly window?: number;
  /** Default 400. */
  readonly poll?: number;
  /** First wait in milliseconds before a failed thing is tried again, doubling up to 50 times as much; default 100. */
  readonly retry?: number;
}

export interface TonIndexerStatus {
  /** Seqno of the newest masterchain block; null before it is known. */
  readonly tip: number | null;
  /** Seqno up to which everything is published; null before it is known. */
  readonly frontier: number | null;
  readonly lag: number | null;
  /** Set while the frontier cannot move. */
  readonly hole: { readonly seqno: number; readonly reason: string } | null;
}

export interface TonIndexer {
  /**
   * Follows the chain until the signal. Whatever fails is tried again from the stored cursor.
   * @throws WrongChain when the source is not the chain that was indexed so far.
   */
  run(signal: AbortSignal): Promise<void>;
  status(): TonIndexerStatus;
}

export function createTonIndexer(options: TonIndexerDeps): TonIndexer {
  const deps = { window: 16, poll: 400, retry: 100, ...options };
  const { network, documents, log, logger, retry } = deps;
  let tip: number | null = null;
  let frontier: number | null = null;
  let planned: number | null = null;
  let hole: TonIndexerStatus['hole'] = null;
  let wait = retry;

  const progress: Progress = {
    tip: seqno => void (tip = Math.max(tip ?? 0, seqno)),
    planned: seqno => void (planned = Math.max(planned ?? 0, seqno)),
    async frontier(seqno) {
      if (frontier !== seqno) wait = retry;
      frontier = seqno;
      planned = Math.max(planned ?? 0, seqno);
      if (!hole || (seqno < hole.seqno && seqno !== tip)) return;
      hole = null;
      await tell(null);
    },
  };

  /** Also for a `tidemark status` in another process. */
  async function tell(standing: typeof hole): Promise<void> {
    const cursor = await loadCursor(documents, network);
    if (!cursor) return;
    await documents.commit({
      writes: [cursorWrite(network, cursor, tip ?? cursor.tip, standing)],
      checkpoint: frontierFence(network, cursor, cursor),
    });
  }

  async function stop(error: unknown, signal: AbortSignal): Promise<void> {
    if (error instanceof WrongChain) throw error;
    const reason = error instanceof Hole ? error.reason : messageOf(error);
    const seqno = error instanceof Hole ? error.seqno : (frontier ?? 0) + 1;
    if (hole?.seqno !== seqno || hole.reason !== reason) {
      hole = { seqno, reason };
      logger.error({ network, seqno, reason }, 'the TON tail stands still and tries again');
      await tell(hole).catch((cause: unknown) =>
        logger.error({ network, reason: messageOf(cause) }, 'cursor'),
      );
    }
    await sleep(wait, undefined, { signal });
    wait = Math.min(2 * wait, 50 * retry);
  }

  async function tail(turns: Turns, signal: AbortSignal): Promise<void> {
    while (!signal.aborted)
      try {
        await together(signal, [own => followChain(deps, turns, progress, own)]);
      } catch (error) {
        await stop(error, signal);
      }
  }

  async function activate(turns: Turns, signal: AbortSignal): Promise<void> {
    while (!signal.aborted)
      try {
        await followWatched({ ...deps, planned: () => planned }, turns, signal);
      } catch (error) {
        signal.throwIfAborted();
        logger.error({ network, reason: messageOf(error) }, 'newly watched accounts are not heard of');
        await sleep(10 * retry, undefined, { signal });
      }
  }

  async function follow(signal: AbortSignal): Promise<void> {
    const turns = createTurns();
    await together(signal, [own => tail(turns, own), own => activate(turns, own)]);
  }

  const exclusively = deps.exclusively ?? ((_name, run, signal) => run(signal));
  return {
    async run(signal) {
      await log.declare([TON_TRANSACTIONS, TON_DEAD_LETTERS]);
      await documents.declare([...TAIL_COLLECTIONS, ...BACKFILL_COLLECTIONS]);
      await exclusively(`indexer-ton ${network}`, follow, signal);
    },
    status: () => ({ tip, frontier, lag: tip === null || frontier === null ? null : tip - frontier, hole }),
  };
}
