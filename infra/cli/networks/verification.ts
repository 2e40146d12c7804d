import type { Documents } from '../../../contracts/ports/documents';
import type { EventStore } from '../../../contracts/ports/event-store';
import type { Jobs } from '../../../contracts/ports/jobs';
import type { Log } from '../../../contracts/ports/log';

/** What the verification of a network needs. */
export interface NetworkVerification<Network, Source> {
  readonly network: Network;
  readonly source: Source;
  /** Of the source. */
  readonly identity: string;
  readonly documents: Documents;
  readonly log: Log;
  readonly store: EventStore;
  readonly jobs: Jobs;
  /** Takes back what is false, and has it read again. */
  readonly fix: boolean;
  readonly signal: AbortSignal;
  onProgress?(done: number, total: number): void;
}

/** Documents that are read at a time, and messages that are published at a time. */
export const PAGE = 200;
