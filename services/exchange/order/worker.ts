import type { Jobs } from '../../../contracts/ports/jobs';
import { placeOrder, type PlaceDeps } from './place';
import { EXCHANGE_PLACING, placingJob, placingJobData } from './reaction';

/** Most of them wait for the partner, which has a limit of requests of its own. */
const CONCURRENCY = 64;
/** So soon the orders of a worker that has died are taken up by another. */
const LEASE_MS = 10_000;

/** Places orders with the partner, until the signal. */
export function workPlacing(
  deps: PlaceDeps & { readonly jobs: Pick<Jobs, 'add' | 'work'> },
  signal: AbortSignal,
): Promise<void> {
  return deps.jobs.work(
    { queue: EXCHANGE_PLACING, concurrency: CONCURRENCY, leaseMs: LEASE_MS, signal },
    async ({ data }) => {
      const { orderId, run } = placingJobData.parse(data);
      const waitMs = await placeOrder(deps, orderId);
      // Another job, so that orders that wait take no place from those that don't.
      if (waitMs !== null) await deps.jobs.add(placingJob(orderId, run + 1, waitMs));
    },
  );
}
