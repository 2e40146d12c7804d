import { appReportsProjection } from '../../../projections/apps/reports';
import { appReviewsProjection } from '../../../projections/apps/reviews';
import { appVerificationsProjection } from '../../../projections/apps/verifications';
import { appRoutes } from '../../../services/apps/routes';
import { createWalletKeys } from '../../../services/wallet-key';
import { appsCommand } from '../../cli/apps';
import { personalTexts, type ErasureConfig } from '../erasure';
import type { Feature } from '../feature';
import { READ_WAIT_MS } from '../read-wait';
import { contractReader, type TonContractsConfig } from './ton-contracts';

/** What users say of applications. */
export const apps: Feature<TonContractsConfig & ErasureConfig> = {
  name: 'apps',
  projections: [appReviewsProjection, appReportsProjection, appVerificationsProjection],
  routes: async deps =>
    appRoutes({
      views: deps.engine.views,
      handle: deps.handle,
      texts: await deps.use(personalTexts),
      findKey: createWalletKeys(contractReader(deps)),
      clock: deps.clock,
      waitMs: READ_WAIT_MS,
    }),
  commands: [appsCommand],
};
