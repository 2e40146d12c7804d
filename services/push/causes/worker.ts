import type { Jobs } from '../../../contracts/ports/jobs';
import { pushCause } from '../../../contracts/push-cause';
import { findFollowers } from '../../../projections/push/devices';
import type { Views } from '../../../projections/views';
import { notificationJob } from '../notification/jobs';
import { PUSH_CAUSES } from './reactions';
import { createRegistrationsWait, type RegistrationsDeps } from './registrations';

/**
 * Devices of an account that are notified: those that were registered last. An address is public, so anybody can register
 * devices for it; if the newest were refused instead, its owner could be kept out for good. So a device that was pushed out is
 * back when its application starts.
 */
export const MAX_DEVICES = 10;

const CONCURRENCY = 16;
const LEASE_MS = 10_000;

interface CauseDeps {
  readonly views: Pick<Views, 'find' | 'waitForPosition'>;
  readonly store: RegistrationsDeps['store'];
  readonly jobs: Pick<Jobs, 'add' | 'work'>;
}

/** Starts a notification for each device of the account of a cause, until the signal. */
export function workCauses({ views, store, jobs }: CauseDeps, signal: AbortSignal): Promise<void> {
  const untilRegistered = createRegistrationsWait({ views: () => views, store });
  return jobs.work(
    { queue: PUSH_CAUSES, concurrency: CONCURRENCY, leaseMs: LEASE_MS, signal },
    async ({ data }) => {
      const cause = pushCause.parse(data);
      await untilRegistered();
      const followers = await findFollowers(views, cause.account, MAX_DEVICES);
      const notified = followers.filter(({ since }) => since <= cause.at);
      await Promise.all(notified.map(({ device }) => jobs.add(notificationJob(device, cause))));
    },
  );
}
