import type { Logger } from 'pino';
import type { TonNetwork } from '../../contracts/network';
import type { Documents } from '../../contracts/ports/documents';
import type { Log } from '../../contracts/ports/log';
import type { Scope } from './plan';
import type { TonIndexerMetrics } from './post';
import type { TonSource } from './source/port';

export interface TailDeps {
  readonly network: TonNetwork;
  readonly source: TonSource;
  readonly log: Log;
  readonly documents: Documents;
  readonly logger: Logger;
  readonly metrics: TonIndexerMetrics;
  readonly scope: Scope;
  /** Blocks read ahead of the one being written. */
  readonly window: number;
  /** Longest wait in milliseconds before looking for a new block. */
  readonly poll: number;
  /** First wait in milliseconds before something is tried again. */
  readonly retry: number;
  /** The masterchain block after which to begin when there is no cursor yet; default: the newest. */
  readonly startAfter?: number;
}

/** Told as the tail goes, for status and for the activation of accounts. */
export interface Progress {
  tip(seqno: number): void;
  frontier(seqno: number): Promise<void>;
  /** This block is being planned: accounts activated from now on do not take part in it. */
  planned(seqno: number): void;
}
