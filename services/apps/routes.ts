import { formatTonAddress } from '../../contracts/address';
import {
  appCatalog,
  appReviews,
  MAX_LISTED_REVIEWS,
  submitAppReport,
  submitAppReview,
} from '../../contracts/http/apps';
import { immutable } from '../../contracts/http/immutable-response';
import { formatPosition, type Position } from '../../contracts/position';
import { Problem } from '../../contracts/problem';
import { APP_REPORTS_SOURCE, findAppReports, NO_REPORTS } from '../../projections/apps/reports';
import {
  APP_RATINGS_SOURCE,
  APP_REVIEWS_SOURCE,
  findAppRatings,
  findAppReview,
  findAppReviews,
  type AppRatingsDocument,
  type AppReviewDocument,
} from '../../projections/apps/reviews';
import { APP_VERIFICATIONS_SOURCE, isVerifiedApp } from '../../projections/apps/verifications';
import { bind, type Binding } from '../http/binding';
import { Reply } from '../http/call';
import { tonAccount } from '../ton-account';
import { decryptComments } from './comment';
import type { AppDeps } from './deps';
import { metadataAnswer } from './metadata/answer';
import { appMetadataRoutes } from './metadata/routes';
import { submitReport } from './report/submit';
import { submitReview } from './review/submit';

/** What applications, their users and operators say of them. */
export function appRoutes(deps: AppDeps): Binding[] {
  const { views, texts, apps, publicUrl, waitMs } = deps;

  const show = async (reviews: readonly AppReviewDocument[]) => {
    const comments = await decryptComments(
      texts,
      reviews.map(({ comment }) => comment),
    );
    return reviews.map(({ address, network, rating, isVerified, createdAt, updatedAt }, i) => ({
      address: formatTonAddress(address, network, false),
      rating,
      createdAt: Date.parse(createdAt),
      updatedAt: Date.parse(updatedAt),
      comment: comments[i] ?? null,
      verified: isVerified,
    }));
  };

  const untilFolded = (position: Position): Promise<boolean> =>
    views.waitForPosition(APP_REVIEWS_SOURCE.collection, position, waitMs);

  return [
    ...appMetadataRoutes(deps),
    bind(appCatalog, async call => {
      const { url } = call.query;
      const api = publicUrl ?? call.origin;
      const query = {
        key: ['app', url, api],
        sources: [APP_RATINGS_SOURCE, APP_REPORTS_SOURCE, APP_VERIFICATIONS_SOURCE, apps.source(url)],
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
          reportsSummary: reports?.counts ?? NO_REPORTS,
          ...ratingOf(ratings),
        };
        return { at: known?.at ?? null, answer: immutable({ extension }) };
      });
      if (at === null) void apps.readUnread(url, { ip: call.ip, appendHeader: () => undefined });
      else apps.refresh(url, at);
      return answer;
    }),
    bind(appReviews, async ({ query: { url, address, network }, minPosition }) => {
      const reviewer = address === undefined ? null : tonAccount(address, network, '/query/network');
      if (minPosition !== null && !(await untilFolded(minPosition)))
        throw Problem.unavailable(
          `The reviews as of position ${minPosition} are not there yet; try again.`,
          1,
        );
      const own = reviewer && (await findAppReview(views, url, reviewer));
      const all = await show([
        ...(own ? [own] : []),
        ...(await findAppReviews(views, url, MAX_LISTED_REVIEWS)),
      ]);
      return { review: own ? all[0]! : null, reviews: own ? all.slice(1) : all };
    }),
    bind(submitAppReview, async call => {
      const { url } = call.body;
      const { reviewer, position } = await submitReview(deps, call.body, call);
      if (!(await untilFolded(position)))
        throw Problem.unavailable('The review is recorded; reads do not have it yet.', 1);
      const [review] = await show([(await findAppReview(views, url, reviewer))!]);
      return new Reply({ review: review! }, { 'X-Ledger-Position': formatPosition(position) });
    }),
    bind(submitAppReport, async ({ body }) => {
      const { report, position } = await submitReport(deps, body);
      return new Reply({ report }, { 'X-Ledger-Position': formatPosition(position) });
    }),
  ];
}

/** The mean of the reviews that wallets have signed; of all while none is, since anybody can write these. */
function ratingOf(ratings: Pick<AppRatingsDocument, 'verified' | 'unverified'> | null) {
  if (!ratings) return { rating: 0, reviewsCount: 0 };
  const { verified, unverified } = ratings;
  const { sum, count } = verified.count > 0 ? verified : unverified;
  const rating = count === 0 ? 0 : Math.round((sum / count) * 100) / 100;
  return { rating, reviewsCount: verified.count + unverified.count };
}
