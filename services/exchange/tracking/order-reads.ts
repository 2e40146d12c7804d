import {
  MAX_ORDERS_READ,
  PartnerUnavailable,
  type PartnerOrderState,
} from '../../../contracts/ports/exchange-partner';
import { PACES, type Pace } from './schedule';

interface OrderReadsOptions {
  /** Reads orders of the partner; those that it does not know are missing. */
  read(ids: readonly string[]): Promise<readonly PartnerOrderState[]>;
  /** How long one waits for others to fill its batch. */
  readonly maxWaitMs: number;
  /** Batches that are read at a time. */
  readonly maxConcurrent: number;
}

/** Reads of single orders, made in batches. */
export interface OrderReads {
  /** Null when the partner does not know the order. @throws PartnerUnavailable, PartnerRefused */
  read(partnerOrderId: string, pace: Pace): Promise<PartnerOrderState | null>;
}

interface Waiting {
  readonly id: string;
  /** By `performance.now`. */
  readonly since: number;
  resolve(order: PartnerOrderState | null): void;
  reject(error: unknown): void;
}

/**
 * Of eight batches five begin with the fast, two with the steady and one with the slow, and each is filled up with the others, the
 * most urgent first. So the newest orders come first where the partner's budget is not enough, and no pace starves.
 */
const TURNS: readonly Pace[] = ['fast', 'steady', 'fast', 'fast', 'slow', 'fast', 'steady', 'fast'];

/** Beyond this many the partner is too slow for more. */
const MAX_WAITING = 1_000;

export function createOrderReads({ read, maxWaitMs, maxConcurrent }: OrderReadsOptions): OrderReads {
  const queues: Record<Pace, Waiting[]> = { fast: [], steady: [], slow: [] };
  let [running, turn] = [0, 0];
  let timer: NodeJS.Timeout | undefined;

  const all = (): readonly Waiting[][] => PACES.map(pace => queues[pace]);
  const waiting = (): number => all().reduce((sum, { length }) => sum + length, 0);
  const oldest = (): number => Math.min(...all().map(([first]) => first?.since ?? Infinity));

  function take(): Waiting[] {
    const begin = TURNS[turn++ % TURNS.length]!;
    const batch = queues[begin].splice(0, MAX_ORDERS_READ);
    for (const queue of all()) batch.push(...queue.splice(0, MAX_ORDERS_READ - batch.length));
    return batch;
  }

  async function run(batch: readonly Waiting[]): Promise<void> {
    running += 1;
    try {
      const orders = await read([...new Set(batch.map(({ id }) => id))]);
      const byId = new Map(orders.map(order => [order.id, order]));
      for (const { id, resolve } of batch) resolve(byId.get(id) ?? null);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
    running -= 1;
    start();
  }

  function start(): void {
    clearTimeout(timer);
    timer = undefined;
    while (running < maxConcurrent && waiting() > 0) {
      const remainingMs = oldest() + maxWaitMs - performance.now();
      if (waiting() < MAX_ORDERS_READ && remainingMs > 0) {
        timer = setTimeout(start, Math.ceil(remainingMs));
        return;
      }
      void run(take());
    }
  }

  return {
    read: (id, pace) =>
      new Promise((resolve, reject) => {
        if (waiting() >= MAX_WAITING)
          return reject(new PartnerUnavailable('too many orders wait for the exchange partner'));
        queues[pace].push({ id, since: performance.now(), resolve, reject });
        start();
      }),
  };
}
