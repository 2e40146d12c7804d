import type { Pending, Receipt } from './execution';
import type { Inbound } from './messages';

/** Too many messages wait for a block, or the network is stopping: try again later. */
export class Unavailable extends Error {
  override readonly name = 'Unavailable';
}

/** Messages from outside that wait for a block. */
export interface Mempool {
  /** Milliseconds since the epoch at which the oldest came; null when none waits. */
  readonly oldest: number | null;
  /** Resolves once the message is stored with its block, or refused. The same message twice is one. */
  add(message: Inbound): Promise<Receipt>;
  take(): Pending | undefined;
  /** Puts back, in front, what was taken for a block that could not be stored. */
  restore(taken: readonly Pending[]): void;
  /** Turns away everything that waits, and everything to come. */
  close(): void;
}

interface Waiting extends Pending {
  readonly since: number;
  readonly turnAway: (error: Error) => void;
}

export function createMempool(limit: number, now: () => number): Mempool {
  const waiting: Waiting[] = [];
  const unsettled = new Map<string, Promise<Receipt>>();
  let closed = false;

  return {
    get oldest() {
      return waiting[0]?.since ?? null;
    },
    add(message) {
      const hash = message.cell.hash().toString('hex');
      const known = unsettled.get(hash);
      if (known) return known;
      if (closed) return Promise.reject(new Unavailable('the network is stopping'));
      if (waiting.length >= limit) {
        return Promise.reject(new Unavailable(`${limit} messages are waiting for a block already`));
      }
      const receipt = new Promise<Receipt>((settle, turnAway) =>
        waiting.push({ ...message, since: now(), settle, turnAway }),
      ).finally(() => unsettled.delete(hash));
      unsettled.set(hash, receipt);
      return receipt;
    },
    take: () => waiting.shift(),
    restore: taken => void waiting.unshift(...(taken as Waiting[])),
    close() {
      closed = true;
      for (const message of waiting.splice(0)) message.turnAway(new Unavailable('the network is stopping'));
    },
  };
}
