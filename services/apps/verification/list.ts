import {
  APP_VERIFICATION_CATEGORY,
  appVerificationEvents,
  type AppVerificationEvent,
} from '../../../contracts/events/app-verification';
import type { EventStore } from '../../../contracts/ports/event-store';

export type VerifiedApp = AppVerificationEvent['data'];

/** The verified applications by address, with who verified each. From the events, so that it works while no projection runs. */
export async function listVerifiedApps(store: Pick<EventStore, 'readAll'>): Promise<VerifiedApp[]> {
  const verified = new Map<string, VerifiedApp>();
  for await (const page of store.readAll({ categories: [APP_VERIFICATION_CATEGORY] }))
    for (const recorded of page) {
      const { type, data } = appVerificationEvents.read(recorded);
      if (type === 'AppVerified') verified.set(data.url, data);
      else verified.delete(data.url);
    }
  return [...verified.values()].sort((a, b) => (a.url < b.url ? -1 : 1));
}
