import { Mutex } from 'async-mutex';

/** What the tail of a network and changes of its watched accounts exclude each other by. */
export interface TailLocks {
  /** Held while the transactions of a block are selected. */
  readonly selecting: Mutex;
  /** Held from the load of the heads of a batch of blocks until they are stored. */
  readonly publishing: Mutex;
}

export function createTailLocks(): TailLocks {
  return { selecting: new Mutex(), publishing: new Mutex() };
}
