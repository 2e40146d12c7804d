import { appConfigCommands } from './app-config/commands';
import { appConfigsProjection } from '../../../projections/app-config/app-configs';
import { appConfigRoutes } from '../../../services/app-config/routes';
import type { Feature } from '../feature';

/** What operators configure in wallets. */
export const appConfig: Feature = {
  name: 'app-config',
  commands: appConfigCommands,
  projections: [appConfigsProjection],
  routes: ({ engine }) => appConfigRoutes({ views: engine.views }),
};
