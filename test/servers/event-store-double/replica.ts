import { setTimeout as pause } from 'node:timers/promises';
import type { RecordedEvent } from '../../../contracts/ports/event-store';
import type { NodeState } from './node-state';
import type { ServerLog } from './server-log';

/** How often it looks for what has been replicated. */
const POLL_MS = 5;

/** The log of a node: what has been replicated to it. */
export function replicaOf(log: ServerLog, node: NodeState): ServerLog {
  const last = (): number => node.replicated ?? Infinity;
  const isReplicated = ({ position }: RecordedEvent): boolean => position <= last();
  return {
    ...log,
    async *readStream(...read) {
      for await (const event of log.readStream(...read)) if (isReplicated(event)) yield event;
    },
    async *readAll(...read) {
      for await (const batch of log.readAll(...read)) yield batch.filter(isReplicated);
    },
    async *subscribe(options) {
      for await (const { events } of log.subscribe(options))
        for (const event of events) {
          while (!isReplicated(event) && !options.signal.aborted) await pause(POLL_MS);
          yield { events: [event], position: event.position };
        }
    },
    head: async () => Math.min(await log.head(), last()),
    next: async () => Math.min(await log.next(), last() + 1),
  };
}
