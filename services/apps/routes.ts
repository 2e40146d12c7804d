import { appCatalog, submitAppReport } from '../../contracts/http/catalog/apps';
import { immutable } from '../../contracts/http/immutable-response';
import { formatPosition } from '../../contracts/position';
import { APP_REPORTS_SOURCE, findAppReports, NO_REPORTS } from '../../projections/apps/reports';
import { APP_REVIEWS_SOURCE, findAppRatings, type AppRatings } from '../../projections/apps/reviews';
import { APP_VERIFICATIONS_SOURCE, isVerifiedApp } from '../../projections/apps/verifications';
import { bind, type Binding } from '../http/binding';
import { Reply } from '../http/call';
import type { AppDeps } from './deps';
import { metadataAnswer } from './metadata/answer';
import { appMetadataRoutes } from './metadata/routes';
import { submitReport } from './report/submit';
import { appReviewRoutes } from './review/routes';

/** What applications, their users and operators say of them. */
export function appRoutes(deps: AppDeps): Binding[] {
  const { views, apps, publicUrl } = deps;

  return [
    ...appMetadataRoutes(deps),
    ...appReviewRoutes(deps),
    bind(appCatalog, async call => {
      const { page, app: url } = call.query.url;
      if (url === null) return { extension: { url: page, metadata: null, ...NOTHING_SAID } };
      const api = publicUrl ?? call.origin;
      const query = {
        key: ['app', url, api],
        sources: [APP_REVIEWS_SOURCE, APP_REPORTS_SOURCE, APP_VERIFICATIONS_SOURCE, apps.source(url)],
      };
      const { at, answer } = await views.cached(query, async () => {
        const [ratings, reports, verified, known] = await Promise.all([
          findAppRatings(views, url),
          findAppReports(views, url),
          isVerifiedApp(views, url),
          apps.find(url),
        ]);
        const extension = {
          url,
          metadata: known && metadataAnswer(url, known, api),
          verified,
          reportsSummary: reports,
          ...ratingOf(ratings),
        };
        return { at: known?.at ?? null, answer: immutable({ extension }) };
      });
      if (at === null) void apps.readUnread(url, { ip: call.ip, appendHeader: () => undefined });
      else apps.refresh(url, at);
      return answer;
    }),
    bind(submitAppReport, async ({ body, ip }) => {
      const { report, position } = await submitReport(deps, body, ip);
      return new Reply({ report }, { 'X-Ledger-Position': formatPosition(position) });
    }),
  ];
}

const NOTHING_SAID = { verified: false, reportsSummary: NO_REPORTS, rating: 0, reviewsCount: 0 };

/** The mean of the reviews that wallets have signed; of all while none is, since anybody can write these. */
function ratingOf({ verified, unverified }: AppRatings) {
  const { sum, count } = verified.count > 0 ? verified : unverified;
  const rating = count === 0 ? 0 : Math.round((sum / count) * 100) / 100;
  return { rating, reviewsCount: verified.count + unverified.count };
}
