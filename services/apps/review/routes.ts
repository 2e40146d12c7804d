import { formatTonAddress } from '../../../contracts/account/address';
import { appReviews, MAX_LISTED_REVIEWS, submitAppReview } from '../../../contracts/http/catalog/apps';
import { formatPosition } from '../../../contracts/position';
import { Problem } from '../../../contracts/problem/problem';
import {
  APP_REVIEWS_SOURCE,
  findAppReview,
  findAppReviews,
  type AppReviewDocument,
} from '../../../projections/apps/reviews';
import { bind, type Binding } from '../../http/binding';
import { Reply } from '../../http/call';
import { tonAccount } from '../../../contracts/account/ton-account';
import { waitUntilFolded } from '../../commands/wait-until-folded';
import { decryptComments } from '../comment';
import type { AppDeps } from '../deps';
import { submitReview } from './submit';

/** What users say of applications. */
export function appReviewRoutes(deps: AppDeps): Binding[] {
  const { views, texts, waitMs } = deps;

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

  return [
    bind(appReviews, async ({ query, minPosition, signal }) => {
      const { address, network } = query;
      const url = query.url.app;
      const reviewer = address === undefined ? null : tonAccount(address, network, '/query/network');
      await waitUntilFolded(views, [APP_REVIEWS_SOURCE.collection], minPosition, waitMs, signal);
      if (url === null) return { review: null, reviews: [] };
      const own = reviewer && (await findAppReview(views, url, reviewer));
      const all = await show([
        ...(own ? [own] : []),
        ...(await findAppReviews(views, url, MAX_LISTED_REVIEWS)),
      ]);
      return { review: own ? all[0]! : null, reviews: own ? all.slice(1) : all };
    }),
    bind(submitAppReview, async call => {
      const { url, input } = call.body;
      const { reviewer, isVerified, at, isCounted, position } = await submitReview(deps, call.body, call);
      if (!(await views.waitForPosition(APP_REVIEWS_SOURCE.collection, position, waitMs)))
        throw Problem.unavailable('The review is recorded; reads do not have it yet.', 1);
      // What the caller has sent: somebody else may have written another review in the same name since.
      const { createdAt } = isCounted ? (await findAppReview(views, url, reviewer))! : { createdAt: at };
      const review = {
        address: formatTonAddress(reviewer.address, reviewer.network, false),
        rating: input.rating,
        createdAt: Date.parse(createdAt),
        updatedAt: Date.parse(at),
        comment: input.comment ?? null,
        verified: isVerified,
      };
      return new Reply({ review }, { 'X-Ledger-Position': formatPosition(position) });
    }),
  ];
}
