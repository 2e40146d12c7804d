import { appCommands } from './apps/commands';
import { APP_REVIEWS } from '../../../contracts/http/catalog/apps';
import type { Bound } from '../../../contracts/bound';
import { appObservation, unreadApp } from '../../../indexers/apps/observation';
import { appReportsProjection } from '../../../projections/apps/reports';
import { appReviewsProjection } from '../../../projections/apps/reviews';
import { appVerificationsProjection } from '../../../projections/apps/verifications';
import { createAppReader } from '../../../services/apps/metadata/reader';
import { MAX_REPORT_CALLERS } from '../../../services/apps/report/decider';
import { appRoutes } from '../../../services/apps/routes';
import { createWalletKeys } from '../../../services/wallet-key';
import { personalTexts } from './erasure/personal-texts';
import type { Feature } from '../feature';
import { publicUrlSettings } from '../settings/public-url';
import { callerSource } from '../requests/caller-source';
import { rateLimits } from '../requests/rate-limits';
import { count } from '../../config/settings';
import { contractReader } from './ton-contracts';

const settings = { MAX_STORED_APPS: count.default(10_000), ...publicUrlSettings };

const bounds: readonly Bound[] = [
  {
    of: 'complaints of one type about an application in the name of a wallet',
    owner: 'the wallet',
    max: `${MAX_REPORT_CALLERS} callers, of which the first counts`,
    share: 'one, and it is answered with no other',
    beyond: 'not recorded',
  },
];

/** What applications say of themselves, and what users and operators say of them. */
export const apps: Feature = {
  name: 'apps',
  commands: appCommands,
  settings,
  quotas: [APP_REVIEWS],
  bounds,
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
      sourceOf: await deps.use(callerSource),
      publicUrl: deps.config.of(settings).PUBLIC_URL ?? null,
      clock: deps.clock,
      waitMs: deps.readWait.waitMs,
    }),
};
