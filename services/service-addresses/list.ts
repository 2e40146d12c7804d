import {
  SERVICE_ADDRESS_CATEGORY,
  serviceAddressEvents,
  type ServiceAddressEvent,
} from '../../contracts/events/service-address';
import { accountKey } from '../../contracts/network';
import type { EventStore } from '../../contracts/ports/event-store';

export type ServiceAddress = Extract<ServiceAddressEvent, { type: 'ServiceAddressAdded' }>['data'];

/** Every address that operators have added and not removed, oldest first. */
export async function listServiceAddresses(store: Pick<EventStore, 'readAll'>): Promise<ServiceAddress[]> {
  const known = new Map<string, ServiceAddress>();
  for await (const page of store.readAll({ categories: [SERVICE_ADDRESS_CATEGORY] }))
    for (const recorded of page) {
      const { type, data } = serviceAddressEvents.read(recorded);
      const key = accountKey(data.account);
      known.delete(key);
      if (type === 'ServiceAddressAdded') known.set(key, data);
    }
  return [...known.values()];
}
