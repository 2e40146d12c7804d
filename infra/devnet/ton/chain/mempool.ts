import type { Pending, Receipt } from './execution';
import type { Inbound } from './messages';

/** Too many messages are waiting, or the network is stopping: try again later. */
export class Unavailable extends Error {
  override readonly name = 'Unavailable';
}

/** External messages that wait for a block. */
export interface Mempool {
  /** Arrival of the oldest message in milliseconds since the epoch; null when empty. */
  readonly oldest: number | null;
  has(message: Inbound): boolean;
  /** Resolves once the message is stored with its block, or refused. Duplicates share a receipt. */
  add(message: Inbound): Promise<Receipt>;
  take(): Pending | undefined;
  /** Puts messages back, in front, whose block could not be stored. */
  restore(taken: readonly Pending[]): void;
  /** Rejects all waiting and further messages. */
  close(): void;
}

interface Waiting extends Pending {
  readonly since: number;
  readonly reject: (error: Error) => void;
}

const hashOf = ({ cell }: Inbound): string => cell.hash().toString('hex');

export function createMempool(limit: number, now: () => number): Mempool {
  const waiting: Waiting[] = [];
  const pending = new Map<string, Promise<Receipt>>();
  let closed = false;

  return {
    get oldest() {
      return waiting[0]?.since ?? null;
    },
    has: message => pending.has(hashOf(message)),
    add(message) {
      const hash = hashOf(message);
      const known = pending.get(hash);
      if (known) return known;
      if (closed) return Promise.reject(new Unavailable('the network is stopping'));
      if (waiting.length >= limit) {
        return Promise.reject(new Unavailable(`${limit} messages are already waiting for a block`));
      }
      const receipt = new Promise<Receipt>((resolve, reject) =>
        waiting.push({ ...message, since: now(), resolve, reject }),
      ).finally(() => pending.delete(hash));
      pending.set(hash, receipt);
      return receipt;
    },
    take: () => waiting.shift(),
    restore: taken => void waiting.unshift(...(taken as Waiting[])),
    close() {
      closed = true;
      for (const message of waiting.splice(0)) message.reject(new Unavailable('the network is stopping'));
    },
  };
}
