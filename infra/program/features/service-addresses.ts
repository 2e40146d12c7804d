import { serviceAddressCommands } from './service-addresses/commands';
import { payinAddressesProjection } from '../../../projections/service-addresses/payin-addresses';
import { serviceAddressesProjection } from '../../../projections/service-addresses/service-addresses';
import { serviceAddressRoutes } from '../../../services/service-addresses/routes';
import type { Feature } from '../feature';

/** Addresses of services, of which wallets warn before they send. */
export const serviceAddresses: Feature = {
  name: 'service-addresses',
  commands: serviceAddressCommands,
  projections: [serviceAddressesProjection, payinAddressesProjection],
  routes: ({ engine }) => serviceAddressRoutes({ views: engine.views }),
};
