import { setTimeout as sleep } from 'node:timers/promises';
import type { EventStore } from '../../../contracts/ports/event-store';

/** An event store whose server is a millisecond away: the double of a network, around a store on the same machine. */
export function distantStore(store: EventStore): EventStore {
  return {
    ...store,
    async append(...append) {
      await sleep(DELAY_MS);
      return store.append(...append);
    },
    async *readStream(...read) {
      await sleep(DELAY_MS);
      yield* store.readStream(...read);
    },
    async head() {
      await sleep(DELAY_MS);
      return store.head();
    },
    async end() {
      await sleep(DELAY_MS);
      return store.end();
    },
  };
}

const DELAY_MS = 1;
