import { appCommands } from './apps/commands';
import { APP_REVIEWS } from '../../../contracts/http/catalog/apps';
import { appObservation, unreadApp } from '../../../indexers/apps/observation';
import { appReportsProjection } from '../../../projections/apps/reports';
import { appReviewsProjection } from '../../../projections/apps/reviews';
import { appVerificationsProjection } from '../../../projections/apps/verifications';
import { createAppReader } from '../../../services/apps/metadata/reader';
import { appRoutes } from '../../../services/apps/routes';
import { createWalletKeys } from '../../../services/wallet-key';
import { personalTexts } from './erasure/personal-texts';
import type { Feature } from '../feature';
import { publicUrlSettings } from '../settings/public-url';
import { rateLimits } from '../requests/rate-limits';
import { count } from '../../config/settings';
import { contractReader } from './ton-contracts';

const settings = { MAX_STORED_APPS: count.default(10_000), ...publicUrlSettings };

/** What applications say of themselves, and what users and operators say of them. */
export const apps: Feature = {
  name: 'apps',
  commands: appCommands,
  settings,
  quotas: [APP_REVIEWS],
  observations: [appObservation],
  projections: [appReviewsProjection, appReportsProjection, appVerificationsProjection],
  routes: async deps =>
    appRoutes({
      views: deps.engine.views,
      handle: deps.handle,
      texts: await deps.use(personalTexts),
      findKey: createWalletKeys(contractReader(deps), deps.networks.followed),
      apps: createAppReader({
        views: deps.engine.views,
        observed: deps.observed(appObservation),
        unrecorded: deps.unrecorded(unreadApp),
        limits: () => deps.use(rateLimits),
        maxStored: deps.config.of(settings).MAX_STORED_APPS,
        logger: deps.logger,
      }),
      publicUrl: deps.config.of(settings).PUBLIC_URL ?? null,
      clock: deps.clock,
      waitMs: deps.readWait.waitMs,
    }),
};
