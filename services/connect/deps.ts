import type { EventStore } from '../../contracts/ports/event-store';
import type { Views } from '../../projections/views';
import type { Handle } from '../commands/handle';
import type { CallerSource } from '../http/caller-source';
import type { WaitLimit } from '../reads/read-until';

export interface ConnectDeps {
  readonly store: Pick<EventStore, 'readStream'>;
  readonly views: Pick<Views, 'count' | 'find' | 'get' | 'isOutdated' | 'subscribe' | 'waitForPosition'>;
  readonly handle: Handle;
  /** How long a command waits until reads have it. */
  readonly foldWaitMs: number;
  /** Reads that may wait for a change at a time; others are answered at once. */
  readonly waitLimit: WaitLimit;
  /** How long such a read waits. */
  readonly waitMs: number;
  readonly sourceOf: CallerSource;
  /** Sessions that may be stored; 0: any number. */
  readonly maxSessions: number;
  readonly clock: () => Date;
}
