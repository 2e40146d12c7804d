import {
  APP_VERIFICATION_CATEGORY,
  appVerificationEvents,
  type AppVerificationEvent,
} from '../../../contracts/events/app-verification';
import type { EventStore } from '../../../contracts/ports/event-store';
import { lastEvents } from '../../commands/last-events';

export type VerifiedApp = AppVerificationEvent['data'];

/** The verified applications by address, with who verified each. */
export async function listVerifiedApps(store: Pick<EventStore, 'readAll'>): Promise<VerifiedApp[]> {
  const decisions = await lastEvents(store, APP_VERIFICATION_CATEGORY, appVerificationEvents);
  return decisions
    .flatMap(({ type, data }) => (type === 'AppVerified' ? [data] : []))
    .sort((a, b) => (a.url < b.url ? -1 : 1));
}
