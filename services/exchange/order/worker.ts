import { shareOf, type Bound } from '../../../contracts/bound';
import type { Jobs } from '../../../contracts/ports/jobs';
import { createCallerCounts } from '../../callers/caller-counts';
import { placeOrder, type PlaceDeps } from './place';
import { EXCHANGE_PLACING, placingJob, placingJobData } from './reaction';
import { callerOf } from './state';

/** Most of them wait for the partner, which has a limit of requests of its own. */
const CONCURRENCY = 64;
/** Of one caller: a partner that is slow leaves room for the orders of others. */
const MAX_OF_CALLER = shareOf(CONCURRENCY);
export const PLACING_AT_A_TIME: Bound = {
  of: 'exchange orders that a process places at a time',
  owner: 'all who order',
  max: String(CONCURRENCY),
  share: String(MAX_OF_CALLER),
  beyond: 'placed a second later or more',
  attack: {
    file: 'services/exchange/order/worker.test.ts',
    test: 'postpones orders of a caller that has a quarter of the places, and of nobody else',
  },
};

/** Until an order is tried again whose caller has as many on their way. */
const POSTPONED_MS = 1_000;
/** After this, another worker takes up the orders of one that crashed. */
const LEASE_MS = 10_000;

/** Places orders with the partner, until the signal. */
export function workPlacing(
  deps: PlaceDeps & { readonly jobs: Pick<Jobs, 'add' | 'work'> },
  signal: AbortSignal,
): Promise<void> {
  const running = createCallerCounts();

  /** @returns milliseconds until there is more to do */
  async function placeWithin(caller: string, orderId: string): Promise<number | null> {
    if (running.of(caller) >= MAX_OF_CALLER) return POSTPONED_MS;
    const end = running.add(caller);
    try {
      return await placeOrder(deps, orderId);
    } finally {
      end();
    }
  }

  return deps.jobs.work(
    { queue: EXCHANGE_PLACING, concurrency: CONCURRENCY, leaseMs: LEASE_MS, signal },
    async ({ data }) => {
      const { orderId, run, source } = placingJobData.parse(data);
      const waitMs = await placeWithin(callerOf({ source }), orderId);
      // Another job, so that orders that wait take no place from those that don't.
      if (waitMs !== null) await deps.jobs.add(placingJob({ orderId, source }, run + 1, waitMs));
    },
  );
}
