import type { Jobs } from '../../../contracts/ports/jobs';
import { pushCause } from '../../../contracts/push/push-cause';
import { findFollowers } from '../../../projections/push/devices';
import { notifiedFollowers } from '../../../projections/push/followers';
import type { Views } from '../../../projections/views';
import { notificationJob } from '../notification/jobs';
import { PUSH_CAUSES } from './reactions';
import { createRegistrationsWait, type RegistrationsDeps } from './registrations';

const CONCURRENCY = 16;
const LEASE_MS = 10_000;

interface CauseDeps {
  readonly views: Pick<Views, 'get' | 'waitForPosition'>;
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
      const followers = notifiedFollowers(await findFollowers(views, cause.account));
      const notified = followers
        .filter(({ since }) => since <= cause.at)
        // Who has a card the chains do not show, and anybody can register a device for an address.
        .filter(({ isProven }) => isProven || cause.kind !== 'card_event');
      await Promise.all(notified.map(({ device }) => jobs.add(notificationJob(device, cause))));
    },
  );
}
