import {
  APP_REVIEW_CATEGORY,
  appId,
  appReviewEvents,
  type AppReviewEvent,
  type Reviewer,
  type ReviewWeight,
} from '../../contracts/events/app-review';
import { accountKey, type TonNetwork } from '../../contracts/network/network';
import type { EncryptedText } from '../../contracts/text/personal-text';
import type { CollectionSpec, Document, Source } from '../../contracts/ports/documents';
import type { EventProjection } from '../projection';
import type { Views } from '../views';

/** The review of a wallet. The id is that of the application, `/`, and the key of the wallet's account. */
export type AppReviewDocument = Document & {
  readonly app: string;
  readonly url: string;
  readonly network: TonNetwork;
  /** Raw. */
  readonly address: string;
  readonly rating: number;
  readonly isVerified: boolean;
  readonly isHidden: boolean;
  readonly comment: EncryptedText | null;
  /** RFC 3339 UTC instants. */
  readonly createdAt: string;
  readonly updatedAt: string;
};

/** Ratings that count, added up. */
export type Ratings = {
  readonly sum: number;
  readonly count: number;
};

/** What the reviews that are shown say of an application together. The id is that of the application. */
export type AppRatingsDocument = Document & {
  readonly url: string;
  readonly verified: Ratings;
  readonly unverified: Ratings;
};

const REVIEWS: CollectionSpec = {
  name: 'app_reviews',
  indexes: [
    {
      fields: [
        ['app', 'asc'],
        ['isHidden', 'asc'],
        ['updatedAt', 'desc'],
      ],
    },
  ],
};
const RATINGS: CollectionSpec = { name: 'app_ratings', indexes: [] };

export const APP_REVIEWS_SOURCE: Source = { collection: REVIEWS.name };
export const APP_RATINGS_SOURCE: Source = { collection: RATINGS.name };

export const appReviewsProjection: EventProjection = {
  name: 'app-reviews',
  version: 1,
  categories: [APP_REVIEW_CATEGORY],
  collections: [REVIEWS, RATINGS],
  touches(recorded) {
    const { data } = appReviewEvents.read(recorded);
    return [
      { collection: REVIEWS.name, id: reviewId(data.url, data) },
      { collection: RATINGS.name, id: appId(data.url) },
    ];
  },
  fold(document, recorded, { collection, id }) {
    const event = appReviewEvents.read(recorded);
    return collection === REVIEWS.name
      ? reviewAfter(document as AppReviewDocument | null, event, id)
      : ratingsAfter(document as AppRatingsDocument | null, event, id);
  },
};

function reviewAfter(
  document: AppReviewDocument | null,
  { type, data }: AppReviewEvent,
  id: string,
): AppReviewDocument | null {
  if (type !== 'AppReviewSubmitted') return document && { ...document, isHidden: type === 'AppReviewHidden' };
  const { url, network, address, rating, isVerified, isHidden, comment, at } = data;
  const review = { url, network, address, rating, isVerified, isHidden, comment };
  return { _id: id, app: appId(url), ...review, createdAt: document?.createdAt ?? at, updatedAt: at };
}

const NONE: Ratings = { sum: 0, count: 0 };

/** Each event says what counts from now on and what no longer does. */
function ratingsAfter(
  document: AppRatingsDocument | null,
  { type, data }: AppReviewEvent,
  id: string,
): AppRatingsDocument {
  const isSubmitted = type === 'AppReviewSubmitted';
  const added = type === 'AppReviewShown' || (isSubmitted && !data.isHidden) ? data : null;
  const removed = type === 'AppReviewHidden' ? data : isSubmitted ? data.replaces : null;
  const before: AppRatingsDocument = document ?? { _id: id, url: data.url, verified: NONE, unverified: NONE };
  const less = removed ? counted(before, removed, -1) : before;
  return added ? counted(less, added, 1) : less;
}

function counted(
  ratings: AppRatingsDocument,
  { rating, isVerified }: ReviewWeight,
  times: 1 | -1,
): AppRatingsDocument {
  const kind = isVerified ? 'verified' : 'unverified';
  const { sum, count } = ratings[kind];
  return { ...ratings, [kind]: { sum: sum + times * rating, count: count + times } };
}

const reviewId = (url: string, { network, address }: Reviewer): string =>
  `${appId(url)}/${accountKey({ chain: 'ton', network, address })}`;

/** The review of a wallet, also while it is hidden; null when there is none. */
export function findAppReview(
  views: Pick<Views, 'get'>,
  url: string,
  reviewer: Reviewer,
): Promise<AppReviewDocument | null> {
  return views.get<AppReviewDocument>(REVIEWS.name, reviewId(url, reviewer));
}

/** The last reviews of an application that are shown, newest first. */
export async function findAppReviews(
  views: Pick<Views, 'find'>,
  url: string,
  limit: number,
): Promise<readonly AppReviewDocument[]> {
  const { documents } = await views.find<AppReviewDocument>(REVIEWS.name, {
    filter: { app: appId(url), isHidden: false },
    order: [['updatedAt', 'desc']],
    limit,
  });
  return documents;
}

/** The ratings of an application; null before the first review. */
export function findAppRatings(views: Pick<Views, 'get'>, url: string): Promise<AppRatingsDocument | null> {
  return views.get<AppRatingsDocument>(RATINGS.name, appId(url));
}
