import {
  SERVICE_ADDRESS_CATEGORY,
  serviceAddressEvents,
  type ServiceAddressEvent,
} from '../../contracts/events/service-address';
import type { EventStore } from '../../contracts/ports/event-store';
import { lastEvents } from '../commands/last-events';

export type ServiceAddress = Extract<ServiceAddressEvent, { type: 'ServiceAddressAdded' }>['data'];

/** Every address that operators have added and not removed, oldest first. */
export async function listServiceAddresses(store: Pick<EventStore, 'readAll'>): Promise<ServiceAddress[]> {
  const changes = await lastEvents(store, SERVICE_ADDRESS_CATEGORY, serviceAddressEvents);
  return changes.flatMap(({ type, data }) => (type === 'ServiceAddressAdded' ? [data] : []));
}
