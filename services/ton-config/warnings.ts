import {
  ADDRESS_WARNING_CATEGORY,
  addressWarningEvents,
  type AddressWarningEvent,
} from '../../contracts/events/address-warning';
import type { EventStore } from '../../contracts/ports/event-store';
import { lastEvents } from '../commands/last-events';

export type Warning = AddressWarningEvent['data'];

/** Every warning in force, oldest first. */
export async function listWarnings(store: Pick<EventStore, 'readAll'>): Promise<Warning[]> {
  const changes = await lastEvents(
    store,
    ADDRESS_WARNING_CATEGORY,
    addressWarningEvents,
    ({ data }) => data.warning,
  );
  return changes.flatMap(({ type, data }) => (type === 'AddressWarningAdded' ? [data] : []));
}
