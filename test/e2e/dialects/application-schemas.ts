import { z } from 'zod';

const metadata = z.looseObject({
  title: z.string(),
  url: z.string(),
  color: z.string().nullable(),
  description: z.string().nullable(),
  originalImage: z.string().nullable(),
  image: z.object({ blurhash: z.string(), preview256: z.string() }).nullable(),
  extension: z.string().nullable(),
});
const comment = z.object({ text: z.string(), images: z.array(z.string()) });
const review = z.object({
  address: z.string(),
  rating: z.number(),
  createdAt: z.number(),
  updatedAt: z.number(),
  comment: comment.nullable(),
});
const platform = z.object({ critical: z.string(), latest: z.string(), url: z.string() });
const listing = z.object({
  id: z.number(),
  product_url: z.string(),
  start_date: z.number(),
  expiration_date: z.number(),
  enabled: z.boolean(),
  weight: z.number().optional(),
  image_url: z.string().nullish(),
  icon_url: z.string().nullish(),
  title: z.string().nullish(),
  description: z.string().nullish(),
  banner_type: z.string().nullish(),
  regions_to_include: z.string().nullish(),
  regions_to_exclude: z.string().nullish(),
  category: z.string().nullish(),
  is_test: z.boolean().nullish(),
});
const accountState = z.discriminatedUnion('type', [
  z.object({ type: z.literal('uninit') }),
  z.object({ type: z.literal('active'), codeHash: z.string(), dataHash: z.string() }),
  z.object({ type: z.literal('frozen'), stateHash: z.string() }),
]);
const decimal = z.string().regex(/^\d+$/);

/** What the public wallet app reads of applications, of itself and of its accounts: a statement of its own, as `appSchemas`. */
export const applicationSchemas = {
  appConfig: z.object({
    txTimeout: z.number(),
    features: z.record(z.string(), z.boolean()).optional(),
    browserAlerTexts: z.record(z.string(), z.object({ message: z.string() })).nullish(),
    resources: z.record(z.string(), z.string()).optional(),
    changelly: z.object({ minAmount: z.number(), minAmountCurrency: z.string() }),
  }),
  versions: z.object({ ios: platform, android: platform, createdAt: z.number(), updatedAt: z.number() }),
  metadata,
  catalog: z.object({
    extension: z.object({
      url: z.string(),
      metadata: metadata.nullable(),
      verified: z.boolean().optional(),
      reportsSummary: z.object({ spam: z.number(), scam: z.number(), bug: z.number(), offense: z.number() }),
      rating: z.number(),
      reviewsCount: z.number(),
    }),
  }),
  ownReview: z.object({ review: review.nullable() }),
  submittedReview: z.object({ review }),
  submittedReport: z.object({
    report: z.object({
      _id: z.string(),
      url: z.string(),
      address: z.string(),
      type: z.enum(['scam', 'spam', 'bug', 'offense']),
      createdAt: z.number(),
      comment: comment.nullable(),
    }),
  }),
  banners: z.object({ banners: z.array(listing) }),
  advertisement: z.object({
    product: z
      .object({
        id: z.string(),
        image: z.string(),
        title: z.string(),
        description: z.string(),
        url: z.string(),
      })
      .nullable(),
  }),
  allowedDomains: z.object({ domains: z.array(z.string()) }),
  oldBalances: z.object({
    totalBalance: decimal,
    accounts: z.array(
      z.object({
        address: z.string(),
        balance: z.object({ coins: decimal }),
        state: accountState,
        last: z.object({ lt: decimal, hash: z.string() }).nullable(),
        storageStat: z
          .object({
            lastPaid: z.number(),
            duePayment: z.string().nullable(),
            used: z.object({ bits: z.number(), cells: z.number(), publicCells: z.number() }),
          })
          .nullable(),
      }),
    ),
  }),
  serviceAddress: z.object({
    ok: z.boolean(),
    found: z.boolean(),
    address: z.string().optional(),
    service: z.enum(['holders', 'changelly', 'postcash']).optional(),
    type: z.string().optional(),
    icon: z.string().optional(),
  }),
  /** The app reads nothing of the answer. */
  ignored: z.unknown(),
};
