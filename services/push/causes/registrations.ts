import type { EventStore } from '../../../contracts/ports/event-store';
import { PUSH_DEVICES } from '../../../projections/push/devices';
import type { Views } from '../../../projections/views';

export interface RegistrationsDeps {
  readonly views: () => Pick<Views, 'waitForPosition'>;
  readonly store: Pick<EventStore, 'head'>;
}

const WAIT_MS = 2_500;
/** Once documents have caught up they stay close to the events, unless their engine is lost. */
const VALID_MS = 10_000;

/**
 * A wait until documents have the devices that are registered. Documents may be behind, or empty while they are built from the
 * beginning: who looks for devices meanwhile finds none, and would notify nobody. Looks at most every ten seconds.
 * @throws Error when it takes too long
 */
export function createRegistrationsWait(
  { views, store }: RegistrationsDeps,
  now = () => performance.now(),
): () => Promise<void> {
  let validUntil = 0;
  return async () => {
    if (now() < validUntil) return;
    if (!(await views().waitForPosition(PUSH_DEVICES.name, await store.head(), WAIT_MS)))
      throw new Error('the documents of registered devices are behind');
    validUntil = now() + VALID_MS;
  };
}
