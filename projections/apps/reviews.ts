import {
  APP_REVIEW_CATEGORY,
  appId,
  appReviewEvents,
  type AppReviewEvent,
  type Reviewer,
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

/** What the reviews that are shown say of an application together: those that wallets have signed, and the others. */
export interface AppRatings {
  readonly verified: Ratings;
  readonly unverified: Ratings;
}

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
  counts: [['app', 'isHidden', 'isVerified', 'rating']],
};

export const APP_REVIEWS_SOURCE: Source = { collection: REVIEWS.name };

export const appReviewsProjection: EventProjection = {
  name: 'app-reviews',
  version: 2,
  categories: [APP_REVIEW_CATEGORY],
  collections: [REVIEWS],
  touches(recorded) {
    const { data } = appReviewEvents.read(recorded);
    return [{ collection: REVIEWS.name, id: reviewId(data.url, data) }];
  },
  fold: (document, recorded, { id }) =>
    reviewAfter(document as AppReviewDocument | null, appReviewEvents.read(recorded), id),
};

function reviewAfter(
  document: AppReviewDocument | null,
  { type, data }: AppReviewEvent,
  id: string,
): AppReviewDocument | null {
  if (type === 'AppReviewRemoved') return null;
  if (type !== 'AppReviewSubmitted') return document && { ...document, isHidden: type === 'AppReviewHidden' };
  if (!data.isCounted) return document;
  const { url, network, address, rating, isVerified, isHidden, comment, at } = data;
  const review = { url, network, address, rating, isVerified, isHidden, comment };
  return { _id: id, app: appId(url), ...review, createdAt: document?.createdAt ?? at, updatedAt: at };
}

/** From the worst to the best. */
const RATINGS = [1, 2, 3, 4, 5] as const;

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

/** The ratings of an application. */
export async function findAppRatings(views: Pick<Views, 'count'>, url: string): Promise<AppRatings> {
  const shown = { app: appId(url), isHidden: false };
  const ratings = async (isVerified: boolean): Promise<Ratings> => {
    const counts = await Promise.all(
      RATINGS.map(rating => views.count(REVIEWS.name, { ...shown, isVerified, rating })),
    );
    return {
      sum: counts.reduce((sum, count, index) => sum + count * RATINGS[index]!, 0),
      count: counts.reduce((sum, count) => sum + count, 0),
    };
  };
  const [verified, unverified] = await Promise.all([ratings(true), ratings(false)]);
  return { verified, unverified };
}
