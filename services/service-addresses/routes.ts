import { parseAccountAddress } from '../../contracts/account/account-address';
import type { Service } from '../../contracts/events/service-address';
import { checkServiceAddress } from '../../contracts/http/catalog/service-addresses';
import { accountKey } from '../../contracts/network/network';
import { isPayinAddress, PAYIN_ADDRESSES_SOURCE } from '../../projections/service-addresses/payin-addresses';
import {
  findServiceAddress,
  serviceAddressSource,
} from '../../projections/service-addresses/service-addresses';
import type { Views } from '../../projections/views';
import { bind, type Binding } from '../http/binding';

export interface ServiceAddressDeps {
  readonly views: Pick<Views, 'cached' | 'get' | 'find'>;
}

/** To which payments of exchange orders go. */
const PAYIN: Service = { service: 'changelly', type: 'payin', icon: null };

/** Addresses of services: those of operators (`tidemark service-addresses`), then those that exchange orders are paid to. */
export function serviceAddressRoutes({ views }: ServiceAddressDeps): Binding[] {
  const serviceOf = (account: string): Promise<Service | null> =>
    views.cached(
      { key: ['service address', account], sources: [serviceAddressSource(account), PAYIN_ADDRESSES_SOURCE] },
      async () =>
        (await findServiceAddress(views, account)) ?? ((await isPayinAddress(views, account)) ? PAYIN : null),
    );

  return [
    bind(checkServiceAddress, async ({ body: { address } }) => {
      const found = await serviceOf(accountKey(parseAccountAddress(address)!));
      if (!found) return { ok: true as const, found: false };
      const { service, type, icon } = found;
      // Wallets refuse null.
      return {
        ok: true as const,
        found: true,
        address,
        service,
        ...(type !== null && { type }),
        ...(icon !== null && { icon }),
      };
    }),
  ];
}
