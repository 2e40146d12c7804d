import type { Logger } from 'pino';
import type { Documents } from '../../contracts/ports/documents';
import type { EventStore } from '../../contracts/ports/event-store';
import type { Log } from '../../contracts/ports/log';
import type { FoldingOrder } from './folding-order';
import type { FoldedHere } from './position-waits';
import type { RecordCache } from './record-cache';

/** For metrics. */
export interface ProjectionHooks {
  /** After each batch that was folded, live or in a rebuild; of a backlog it may be committed with later ones. */
  onBatch?(batch: { readonly projection: string; readonly inputs: number; readonly seconds: number }): void;
}

/** Dependencies that the parts of the engine share. */
export interface Context {
  readonly documents: Documents;
  readonly store: EventStore;
  readonly log: Log;
  readonly records: RecordCache;
  readonly order: FoldingOrder;
  readonly foldedHere: FoldedHere;
  readonly clock: () => Date;
  readonly logger: Logger;
  readonly hooks: ProjectionHooks;
}
