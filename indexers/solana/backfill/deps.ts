import type { SolanaNetwork } from '../../../contracts/network/network';
import type { Log } from '../../../contracts/ports/log';
import type { IndexerMetrics } from '../../indexer';
import type { SolanaSource } from '../source';
import type { BackfillProgress } from './progress';

export interface BackfillOptions {
  /** Signatures listed at a time, up to 1,000; default 500. */
  readonly pageSize?: number | undefined;
  /** Signatures after which a part of the history ends; default 10,000. */
  readonly partSize?: number | undefined;
  /** Milliseconds between two checks whether slots have become final; default 2,000. */
  readonly pollMs?: number | undefined;
}

export interface BackfillDeps extends BackfillOptions {
  readonly network: SolanaNetwork;
  readonly source: SolanaSource;
  readonly log: Log;
  readonly metrics: IndexerMetrics;
}

/** Stores the progress, so that a process that takes over continues there. */
export type StoreProgress = (progress: BackfillProgress) => Promise<void>;
