import { appCommands } from './apps/commands';
import { APP_REVIEWS } from '../../../contracts/http/catalog/apps';
import type { Bound } from '../../../contracts/bound';
import { appHosts, appObservation, REQUESTS_PER_MINUTE } from '../../../indexers/apps/observation';
import { createUnreadApps, MAX_WAITING, UNREAD_SLOTS } from '../../../indexers/apps/unread-apps';
import { appReportsProjection } from '../../../projections/apps/reports';
import { appReviewsProjection } from '../../../projections/apps/reviews';
import { appVerificationsProjection, isVerifiedApp } from '../../../projections/apps/verifications';
import { findDecidedDomains } from '../../../projections/allowed-domains/allowed-domains';
import type { Views } from '../../../projections/views';
import { allowedAmong, coversHost } from '../../../services/allowed-domains/list';
import { createAppReader } from '../../../services/apps/metadata/reader';
import { MAX_REPORT_CALLERS } from '../../../services/apps/report/decider';
import { APP_REPORT_RETENTION, APP_REVIEW_RETENTION } from '../../../services/apps/retention';
import { appRoutes } from '../../../services/apps/routes';
import { createWalletKeys } from '../../../services/wallet-key';
import { personalTexts } from '../personal-texts';
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
    attack: {
      file: 'test/apps/reports.test.ts',
      test: 'who has complained first in the name of a wallet does not keep its own complaint from the operators',
    },
  },
  {
    of: 'applications that nobody knows and that are read at a time',
    owner: 'all who ask for an application',
    max: `${UNREAD_SLOTS} reads of a process, ${MAX_WAITING} that wait`,
    share: 'a quarter, and one host has a quarter too; those that operators know have slots of their own',
    beyond:
      'the read waits for a slot of its caller; the caller with most waiting reads loses the newest of them',
    attack: {
      file: 'test/apps/unread.test.ts',
      test: 'an application is read for its caller also when a stranger has asked for it behind such hosts',
    },
  },
  {
    of: 'requests of a process to a domain',
    owner: 'the applications of the domain',
    max: `${REQUESTS_PER_MINUTE} a minute, half of them to one host`,
    share: 'a quarter of the three quarters that applications which nobody knows have',
    beyond: 'the application is answered without what it says of itself, until the minute is over',
    attack: {
      file: 'test/apps/unread.test.ts',
      test: 'an application that operators have verified is read whatever strangers ask its domain for',
    },
  },
];

/** Whether operators have verified an application, or wallets may open its domain. */
async function isKnownApp(views: Views, url: string): Promise<boolean> {
  const { hostname } = new URL(url);
  const [isVerified, decided] = await Promise.all([isVerifiedApp(views, url), findDecidedDomains(views)]);
  return (
    isVerified ||
    allowedAmong(decided.map(({ _id: domain, isAllowed }) => ({ domain, isAllowed }))).some(domain =>
      coversHost(domain, hostname),
    )
  );
}

/** What applications say of themselves, and what users and operators say of them. */
export const apps: Feature = {
  name: 'apps',
  commands: appCommands,
  settings,
  renamedSettings: { APP_LIMIT: 'MAX_STORED_APPS' },
  quotas: [APP_REVIEWS],
  bounds,
  retentions: [APP_REVIEW_RETENTION, APP_REPORT_RETENTION],
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
        unread: createUnreadApps({
          web: deps.sources.clients.web,
          hosts: appHosts,
          now: () => deps.clock().getTime(),
          waitMs: deps.readWait.waitMs,
          signal: deps.signal,
        }),
        isKnown: url => isKnownApp(deps.engine.views, url),
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
