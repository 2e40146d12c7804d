import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import { SOLANA_DEAD_LETTERS, SOLANA_TRANSACTIONS } from '../../contracts/chain/solana';
import type { SolanaNetwork } from '../../contracts/network';
import type { Documents } from '../../contracts/ports/documents';
import type { EventStore } from '../../contracts/ports/event-store';
import type { Jobs } from '../../contracts/ports/jobs';
import type { Log } from '../../contracts/ports/log';
import { backfillJob } from './backfill/worker';
import { FRONTIER_COLLECTIONS, tipOf } from './frontier';
import { openFrontier } from './open';
import { createPublisher, type Publisher } from './publisher';
import type { SolanaSource } from './source';
import type { SolanaIndexerHooks, SolanaIndexerStatus } from './status';
import { createTail, type Tail, type TailOptions } from './tail';
import type { Exclusively } from '../lease';
import { together } from '../together';
import { openWatchSet } from './watch-set';
import { WrongNetwork } from './wrong-network';

export interface SolanaIndexerDeps {
  readonly network: SolanaNetwork;
  readonly source: SolanaSource;
  readonly log: Log;
  readonly store: EventStore;
  readonly documents: Documents;
  readonly jobs: Jobs;
  readonly logger: Logger;
  readonly hooks?: SolanaIndexerHooks;
  /** `all` publishes for everyone a transaction signs for or changes: for small networks. */
  readonly scope: 'watched' | 'all';
  /** The first slot to publish when the network has not been followed before; default: the newest final one. */
  readonly start?: number;
  readonly options?: TailOptions;
  /** Milliseconds before a tail that failed begins again; default 2,000. */
  readonly retry?: number;
  /** Default: no other process is there. */
  readonly exclusively?: Exclusively;
  readonly signal: AbortSignal;
}

export interface SolanaIndexer {
  status(): SolanaIndexerStatus;
  /** Resolves when all has stopped after the signal. Rejects with WrongNetwork, or when a port failed. */
  readonly done: Promise<void>;
}

/** Follows a Solana network onto the log, in whichever process holds the lease of it. */
export function runSolanaIndexer(deps: SolanaIndexerDeps): SolanaIndexer {
  const { network, hooks = {}, jobs, log, documents, logger, retry = 2_000, signal } = deps;
  let publisher: Publisher | null = null;
  let tail: Tail | null = null;

  async function session(held: AbortSignal): Promise<void> {
    const { source, store, start, options } = deps;
    const frontier = await openFrontier(documents, source, network, start);
    const scope = deps.scope === 'all' ? 'all' : { has: (account: string) => watched.has(account) };
    const opened = createPublisher({ network, scope, log, documents, hooks, frontier });
    const joined = async (account: string): Promise<void> =>
      void (await jobs.add(backfillJob(network, account, opened.scanned)));
    const watched = await openWatchSet({ network, store, documents, joined });
    publisher = opened;
    tail = createTail({ source, publisher: opened, logger, hooks, ...(options && { options }) });
    logger.info({ network, watched: watched.size, frontier: tipOf(frontier).slot }, 'solana tail begins');
    await together(held, [stop => watched.follow(stop), stop => tail!.run(stop)]);
  }

  /** Begins again from what is stored whenever a port or the source fails; only another chain is for the operator. */
  async function follow(held: AbortSignal): Promise<void> {
    while (!held.aborted) {
      try {
        await session(held);
      } catch (error) {
        if (error instanceof WrongNetwork) throw error;
        if (held.aborted) return;
        logger.error({ network, error: String(error) }, 'solana tail failed');
        hooks.failed?.(error);
        await pause(retry, undefined, { signal: held }).catch(() => {});
      }
    }
  }

  const done = (async () => {
    await log.declare([SOLANA_TRANSACTIONS, SOLANA_DEAD_LETTERS]);
    await documents.declare(FRONTIER_COLLECTIONS);
    const exclusively = deps.exclusively ?? ((_name, run, until) => run(until));
    await exclusively(`indexer-solana ${network}`, follow, signal);
  })();

  return {
    done,
    status() {
      const tip = tail?.tip ?? null;
      const frontier = publisher ? tipOf(publisher.frontier).slot : null;
      return {
        network,
        tip,
        frontier,
        finalized: publisher?.frontier.finalized.slot ?? null,
        lag: tip !== null && frontier !== null ? Math.max(tip - frontier, 0) : null,
        hole: tail?.hole ?? null,
      };
    },
  };
}
