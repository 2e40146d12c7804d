import { tonConfigCommands } from './ton-config/commands';
import { tonNetworkConfigObservation } from '../../../indexers/ton/observations/network-config';
import { addressWarningsProjection } from '../../../projections/ton-config/address-warnings';
import { tonConfigRoutes } from '../../../services/ton-config/routes';
import type { Feature } from '../feature';

/** The configuration of TON networks, and the addresses that wallets warn of. */
export const tonConfig: Feature = {
  name: 'ton-config',
  commands: tonConfigCommands,
  projections: [addressWarningsProjection],
  observations: [tonNetworkConfigObservation],
  routes: deps =>
    tonConfigRoutes({
      views: deps.engine.views,
      configs: deps.observed(tonNetworkConfigObservation),
    }),
};
