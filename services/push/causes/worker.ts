import type { Jobs } from '../../../contracts/ports/jobs';
import { pushCause } from '../../../contracts/push/push-cause';
import { findFirstFollowers, findFollowers } from '../../../projections/push/devices';
import type { Views } from '../../../projections/views';
import { notificationJob } from '../notification/jobs';
import { PUSH_CAUSES } from './reactions';
import { createRegistrationsWait, type RegistrationsDeps } from './registrations';

/**
 * Devices of an account that are notified: half of them have followed it for the longest, the others were registered last. An
 * address is public, so anybody can register devices for it: those who come later cannot push out the first ones, and those
 * cannot keep out a device that its owner registers now.
 */
export const MAX_DEVICES = 10;
const FIRST_DEVICES = MAX_DEVICES / 2;

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
      const [first, last] = await Promise.all([
        findFirstFollowers(views, cause.account, FIRST_DEVICES),
        findFollowers(views, cause.account, MAX_DEVICES),
      ]);
      const followers = [...new Map([...first, ...last].map(each => [each.device, each])).values()];
      const notified = followers.slice(0, MAX_DEVICES).filter(({ since }) => since <= cause.at);
      await Promise.all(notified.map(({ device }) => jobs.add(notificationJob(device, cause))));
    },
  );
}
