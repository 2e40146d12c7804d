import { Mutex } from 'async-mutex';
import DataLoader from 'dataloader';
import type { Jobs } from '../../../contracts/ports/jobs';
import { MAX_PUSH_MESSAGES } from '../../../contracts/ports/push-sender';
import { notificationJob, notificationJobData, PUSH_NOTIFICATIONS, type NotificationJob } from './jobs';
import { sendNotifications, type SendDeps } from './send';

/** Notifications in memory: enough for full calls while others are made. */
const CONCURRENCY = 6 * MAX_PUSH_MESSAGES;
/** A notification waits this long for others of the same call. */
const MAX_WAIT_MS = 50;
/** After this, another worker takes up the notifications of one that crashed. */
const LEASE_MS = 10_000;

/** Sends notifications, as many in a call as come together, until the signal. Any number of processes may do so. */
export function workNotifications(
  deps: Omit<SendDeps, 'claiming'> & { readonly jobs: Pick<Jobs, 'add' | 'work'> },
  signal: AbortSignal,
): Promise<void> {
  const claiming = new Mutex();
  const calls = new DataLoader<NotificationJob, number | null>(
    batch => sendNotifications({ ...deps, claiming }, batch),
    {
      maxBatchSize: MAX_PUSH_MESSAGES,
      cache: false,
      batchScheduleFn: send => setTimeout(send, MAX_WAIT_MS),
    },
  );
  return deps.jobs.work(
    { queue: PUSH_NOTIFICATIONS, concurrency: CONCURRENCY, leaseMs: LEASE_MS, signal },
    async ({ data }) => {
      const job = notificationJobData.parse(data);
      const waitMs = await calls.load(job);
      // Another job, so that what waits takes no place from what does not.
      if (waitMs !== null) await deps.jobs.add(notificationJob(job.deviceId, job.cause, job.run + 1, waitMs));
    },
  );
}
