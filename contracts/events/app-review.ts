import { z } from 'zod';
import { accountKey, TON_NETWORKS, type TonNetwork } from '../network/network';
import { encryptedText } from '../text/personal-text';
import { sha256 } from '../encoding/sha256';
import { eventFamily, eventType, type EventOf } from './event-type';

/** The category of the streams of reviews of applications, one stream per application and reviewer. */
export const APP_REVIEW_CATEGORY = 'appReview';

/** Of an application, in the ids of its documents: the first 16 bytes of the SHA-256 of its address, hex. */
export function appId(url: string): string {
  return sha256(url).subarray(0, 16).toString('hex');
}

export interface Reviewer {
  readonly network: TonNetwork;
  /** Raw. */
  readonly address: string;
}

/** @param url as `appUrl` writes it */
export function appReviewStream(url: string, reviewer: Reviewer): string {
  return `${APP_REVIEW_CATEGORY}-${appId(url)}/${accountKey({ chain: 'ton', ...reviewer })}`;
}

/** What a review adds to the rating of its application. */
const weight = z.object({
  /** 1 to 5. */
  rating: z.int(),
  /** The wallet has signed it. */
  isVerified: z.boolean(),
});
export type ReviewWeight = z.output<typeof weight>;

const review = {
  url: z.string(),
  network: z.enum(TON_NETWORKS),
  /** Raw. */
  address: z.string(),
  ...weight.shape,
  /** RFC 3339 UTC instant with milliseconds. */
  at: z.iso.datetime(),
};

// These types are the storage format.
/** Written, or written again: a reviewer has one review of an application. */
const submitted = eventType({
  name: 'AppReviewSubmitted',
  version: 2,
  schema: z.object({
    ...review,
    /** JSON of `{text, images}`, by the reviewer; null when there is none. */
    comment: encryptedText.nullable(),
    /** An operator has hidden the review of this reviewer: it does not count. */
    isHidden: z.boolean(),
    /** What counted of the reviewer until now; null when nothing did. */
    replaces: weight.nullable(),
    /** `CallerSource` of who has sent it; null where it was not recorded. Anybody can name any reviewer. */
    source: z.string().nullable(),
    /** It is the review of the reviewer: what other callers send in its name, without its signature, adds nothing. */
    isCounted: z.boolean(),
  }),
  upcasts: { 1: data => ({ ...data, source: null, isCounted: true }) },
});
const hidden = eventType({ name: 'AppReviewHidden', schema: z.object({ ...review, by: z.string() }) });
const shown = eventType({ name: 'AppReviewShown', schema: z.object({ ...review, by: z.string() }) });
/** It was written long ago: nothing is known of it any more. */
const removed = eventType({ name: 'AppReviewRemoved', schema: z.object(review) });

export const appReviewEvents = eventFamily(submitted, hidden, shown, removed);
export type AppReviewEvent = EventOf<typeof submitted | typeof hidden | typeof shown | typeof removed>;
