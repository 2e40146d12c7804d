import { appConfigCommands } from './app-config/commands';
import { appConfigsProjection } from '../../../projections/app-config/app-configs';
import { appConfigRoutes } from '../../../services/app-config/routes';
import { networkMode } from '../../config/network-settings';
import type { Feature } from '../feature';

/** What operators configure in wallets. */
export const appConfig: Feature = {
  name: 'app-config',
  commands: appConfigCommands,
  projections: [appConfigsProjection],
  routes: ({ engine, config }) =>
    appConfigRoutes({
      views: engine.views,
      isLocal: network => networkMode(config, { chain: 'ton', network }) === 'local',
    }),
};
