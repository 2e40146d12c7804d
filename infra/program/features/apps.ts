import { MEBIBYTE } from '../../config/bytes';
import { appCommands } from './apps/commands';
import { APP_REVIEWS } from '../../../contracts/http/catalog/apps';
import type { Bound } from '../../../contracts/bound';
import { appHosts, appObservation, REQUESTS_PER_MINUTE } from '../../../indexers/apps/observation';
import { createUnreadApps, MAX_WAITING, UNREAD_SLOTS } from '../../../indexers/apps/unread-apps';
import { SLOW_MS } from '../../../indexers/slow-sites';
import { appReportsProjection } from '../../../projections/apps/reports';
import { appReviewsProjection } from '../../../projections/apps/reviews';
import { appVerificationsProjection, isVerifiedApp } from '../../../projections/apps/verifications';
import { findDecidedDomains } from '../../../projections/allowed-domains/allowed-domains';
import type { Views } from '../../../projections/views';
import { allowedAmong, coversHost } from '../../../services/allowed-domains/list';
import { createAppReader, MAX_STORED_OF_DOMAIN } from '../../../services/apps/metadata/reader';
import { MAX_CALLERS } from '../../../services/apps/callers';
import { APP_REPORT_RETENTION, APP_REVIEW_RETENTION } from '../../../services/apps/retention';
import { appRoutes } from '../../../services/apps/routes';
import { createWalletKeys } from '../../../services/signing/wallet-key';
import { personalTexts } from '../personal-texts';
import type { Feature } from '../feature';
import { publicUrlSettings } from '../settings/public-url';
import { callerSource } from '../requests/caller-source';
import { rateLimits } from '../requests/rate-limits';
import { count } from '../../config/settings';
import { contractReader } from './ton-contracts';
import { parseUrl } from '../../../contracts/url/parse-url';

const settings = { MAX_STORED_APPS: count.default(10_000), ...publicUrlSettings };

const bounds: readonly Bound[] = [
  {
    of: 'applications whose metadata is stored',
    owner: 'applications that are stored',
    max: '`MAX_STORED_APPS`',
    share: `no share; ${MAX_STORED_OF_DOMAIN} of one domain`,
    beyond: 'kept in memory for some minutes only',
    note: 'An application takes about 20 KiB on disk, 64 at most.',
    attack: {
      file: 'services/apps/metadata/reader.test.ts',
      test: 'stores a bounded number of applications, whatever addresses somebody makes up',
    },
  },
  {
    of: 'complaints of one type about an application in the name of a wallet',
    owner: 'the wallet',
    max: `${MAX_CALLERS} callers, of which the first counts`,
    share: 'one, in which what was sent first stays; the answer shows nothing of others',
    beyond: '429 `too_many_app_reports`: who came before stays',
    attack: {
      file: 'test/apps/reports.test.ts',
      test: 'who has complained first in the name of a wallet does not keep its own complaint from the operators',
    },
  },
  {
    of: 'reviews of an application in the name of a wallet that has not signed one',
    owner: 'who was the first to send one; the wallet, once it signs',
    max: `${MAX_CALLERS} callers, of which the first counts`,
    share: 'one, which the first caller can replace; a signed one replaces all',
    beyond: '403 `signature_required`: a signed one is recorded',
    attack: {
      file: 'test/apps/reviews.test.ts',
      test: 'what strangers review in the name of a wallet neither replaces its own nor counts',
    },
  },
  {
    of: 'unknown applications that are read at a time',
    owner: 'all who ask for an application',
    max: `${UNREAD_SLOTS} in a process, and ${MAX_WAITING} that wait`,
    share: 'a quarter, and so have all of one domain; callers take turns, each with its oldest application',
    beyond: 'the read waits; beyond those that may wait, the caller with most loses its newest',
    note: `Operators have neither verified unknown ones nor allowed their domains. All domains that have kept a process waiting for ${SLOW_MS / 1_000} seconds or more have a quarter together, until they answer sooner, ten minutes at most.`,
    attack: {
      file: 'test/apps/unread.test.ts',
      test: 'an application is read for its caller also when a stranger has asked for it behind such hosts',
    },
  },
  {
    of: 'requests of a process to a domain',
    owner: 'the applications of the domain',
    max: `${REQUESTS_PER_MINUTE} a minute, half of them to one host`,
    share:
      'of those to the domain, and of those to the host, a quarter of the three quarters that unknown applications have together',
    beyond: 'until the minute is over, the application is answered without its metadata',
    attack: {
      file: 'test/apps/unread.test.ts',
      test: 'an application that operators have verified is read whatever strangers ask its domain for',
    },
  },
];

/** Whether operators have verified an application, or wallets may open its domain. */
async function isKnownApp(views: Views, url: string): Promise<boolean> {
  const { hostname } = parseUrl(url)!;
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
  memory: [
    {
      of: 'images of unknown applications that are being read, or wait to be decoded',
      max: UNREAD_SLOTS,
      bytesEach: 8 * MEBIBYTE,
    },
  ],
  retentions: [APP_REVIEW_RETENTION, APP_REPORT_RETENTION],
  observations: [appObservation],
  projections: [appReviewsProjection, appReportsProjection, appVerificationsProjection],
  routes: async deps =>
    appRoutes({
      views: deps.engine.views,
      handle: deps.handle,
      store: deps.engines.store,
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
