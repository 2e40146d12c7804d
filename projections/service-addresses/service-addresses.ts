import {
  SERVICE_ADDRESS_CATEGORY,
  serviceAddressEvents,
  type Service,
} from '../../contracts/events/service-address';
import { accountKey } from '../../contracts/network/network';
import type { Document, Source } from '../../contracts/ports/documents';
import type { EventProjection } from '../projection';
import type { Views } from '../views';

/** An address of a service, by the key of its account. */
export type ServiceAddressDocument = Document & Service;

const COLLECTION = 'service_addresses';

export const serviceAddressesProjection: EventProjection = {
  name: 'service-addresses',
  version: 1,
  categories: [SERVICE_ADDRESS_CATEGORY],
  collections: [{ name: COLLECTION, indexes: [] }],
  touches: recorded => [
    { collection: COLLECTION, id: accountKey(serviceAddressEvents.read(recorded).data.account) },
  ],
  fold(_, recorded, { id }): ServiceAddressDocument | null {
    const event = serviceAddressEvents.read(recorded);
    if (event.type === 'ServiceAddressRemoved') return null;
    const { service, type, icon } = event.data;
    return { _id: id, service, type, icon };
  },
};

/** @param account its key */
export function serviceAddressSource(account: string): Source {
  return { collection: COLLECTION, part: account };
}

/** What operators say of an account, by its key; null when they say nothing. */
export function findServiceAddress(
  views: Pick<Views, 'get'>,
  account: string,
): Promise<ServiceAddressDocument | null> {
  return views.get<ServiceAddressDocument>(COLLECTION, account);
}
