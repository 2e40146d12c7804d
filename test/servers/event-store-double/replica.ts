import type { EventStore, RecordedEvent } from '../../../contracts/ports/event-store';
import { fromLog } from './log-position';
import type { NodeState } from './node-state';

type Reads = Pick<EventStore, 'readStream' | 'readAll' | 'head'>;

/** The events that a node can read: those that have been replicated to it. */
export function replicaOf(store: EventStore, node: NodeState): EventStore {
  const last = (): number => (node.replicated === null ? Infinity : fromLog(node.replicated));
  const isReplicated = ({ position }: RecordedEvent): boolean => position <= last();
  const reads: Reads = {
    async *readStream(...read) {
      for await (const event of store.readStream(...read)) if (isReplicated(event)) yield event;
    },
    async *readAll(...read) {
      for await (const batch of store.readAll(...read)) yield batch.filter(isReplicated);
    },
    head: async () => Math.min(await store.head(), last()),
  };
  return { ...store, ...reads };
}
