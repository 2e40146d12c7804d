import {
  ADDRESS_WARNING_CATEGORY,
  ADDRESS_WARNINGS,
  addressWarningEvents,
  type AddressWarning,
} from '../../contracts/events/address-warning';
import { accountKey, type TonNetwork } from '../../contracts/network/network';
import type { Document, Source } from '../../contracts/ports/documents';
import type { EventProjection } from '../projection';
import { findAll } from '../find-all';
import type { Views } from '../views';

/** An address that wallets warn of. */
export type AddressWarningDocument = Document & {
  readonly network: TonNetwork;
  /** Raw. */
  readonly address: string;
  /** In the order of `ADDRESS_WARNINGS`. */
  readonly warnings: AddressWarning[];
};

const COLLECTION = 'address_warnings';

export const ADDRESS_WARNINGS_SOURCE: Source = { collection: COLLECTION };

export const addressWarningsProjection: EventProjection = {
  name: 'address-warnings',
  version: 1,
  categories: [ADDRESS_WARNING_CATEGORY],
  collections: [{ name: COLLECTION, indexes: [] }],
  touches(recorded) {
    const { network, address } = addressWarningEvents.read(recorded).data;
    return [{ collection: COLLECTION, id: accountKey({ chain: 'ton', network, address }) }];
  },
  fold(document, recorded, { id }) {
    const { type, data } = addressWarningEvents.read(recorded);
    const { network, address, warning } = data;
    const had = (document as AddressWarningDocument | null)?.warnings ?? [];
    const isThere = (each: AddressWarning): boolean =>
      each === warning ? type === 'AddressWarningAdded' : had.includes(each);
    const warnings = ADDRESS_WARNINGS.filter(isThere);
    return warnings.length === 0 ? null : { _id: id, network, address, warnings };
  },
};

/** Every address that wallets warn of, in the order of its key. Operators name them one by one, so they are few. */
export function findAddressWarnings(views: Pick<Views, 'scan'>): Promise<AddressWarningDocument[]> {
  return findAll<AddressWarningDocument>(views, COLLECTION);
}
