import type { Jobs } from '../../../contracts/ports/jobs';
import { placeOrder, type PlaceDeps } from './place';
import { EXCHANGE_PLACING, placingJob, placingJobData } from './reaction';

/** Most of them wait for the partner, which has a limit of requests of its own. */
const CONCURRENCY = 64;
/** After this, another worker takes up the orders of one that crashed. */
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
