import type { Quota } from '../../quota';
import { z } from 'zod';
import { appUrl, pageUrl } from '../../url/app-url';
import { APP_REPORT_TYPES } from '../../events/app-report';
import { endpoint } from '../endpoint';
import { IMAGE_RESPONSE_HEADERS, imageDigest } from '../tokens/images';
import { LEDGER_POSITION } from '../billing/ledger-position';
import {
  EXAMPLE_SIGNATURE,
  SIGNATURE_ERRORS,
  signedTimestamp,
  walletPublicKey,
  walletSignature,
} from '../fields/signed';
import { tonAddress, tonNetwork } from '../ton/fields';
import { LOCAL } from '../local-accounts';
import { urlText } from '../../url/url-text';

/** Reviews and reports of applications from an address. */
export const APP_REVIEWS: Quota = {
  name: 'app_reviews',
  of: 'reviews and reports of applications',
  by: 'address',
  perMinute: 20,
  perDay: 10_000,
};

const group = 'Application configuration, catalog, banners';

/** The address of an application; its query and fragment do not count. */
export const applicationUrl = z
  .string()
  .max(2_000)
  .transform((text, context) => {
    const url = appUrl(text);
    if (url !== null) return url;
    context.addIssue({
      code: 'custom',
      message: 'must be an https address of a public host, without a port',
    });
    return z.NEVER;
  })
  .meta({ example: 'https://app.example.com' });

/** Of a page that wallets show: with a port or of an IP address as well, since they repeat what is refused for ever. */
const visitedUrl = z
  .string()
  .refine(text => pageUrl(text) !== null, 'must be an http or https address')
  .transform(text => ({ page: pageUrl(text)!.href, app: appUrl(text) }))
  .meta({ example: 'https://app.example.com', description: 'An http or https address' });

const EXAMPLE_URL = 'https://app.example.com';

const MAX_TEXT = 2_000;
const MAX_IMAGES = 5;
const comment = z.object({
  text: z.string().max(MAX_TEXT),
  images: z
    .array(urlText({ max: 500, protocol: /^https$/ }))
    .max(MAX_IMAGES)
    .default([]),
});
export type AppComment = z.output<typeof comment>;

const rating = z.int().min(1).max(5);
/** Milliseconds since the epoch. */
const milliseconds = z.int();

export const appReview = z
  .object({
    /** Of the wallet, friendly, not bounceable; test-only on testnet. */
    address: z.string(),
    rating,
    createdAt: milliseconds,
    updatedAt: milliseconds,
    /** Null when there is none, or it was erased. */
    comment: comment.nullable(),
    verified: z.boolean().meta({ description: 'The wallet has signed it' }),
  })
  .meta({ id: 'AppReview' });

const count = z.int().min(0);

/** What the application says of itself: by name as the specification has it, and as wallets read it. Unknown: null. */
const metadata = z
  .object({
    url: z.string(),
    domain: z.string(),
    title: z.string().meta({ description: 'The domain, until the application has described itself' }),
    /** The title. */
    name: z.string(),
    description: z.string().nullable(),
    color: z.string().nullable().meta({ description: '`#rrggbb`' }),
    /** HTTPS URL of the image as the application has it: not checked. */
    originalImage: z.string().nullable(),
    image: z
      .object({
        blurhash: z.string(),
        preview256: z.string().meta({ description: 'URL of `GET /apps/image`' }),
      })
      .nullable(),
    /** The preview of the image. */
    icon: z.string().nullable(),
    /** A contract that wallets add to themselves for it: no application names one. */
    extension: z.null(),
    /** RFC 3339 instant at which it was read last; null while it was not. */
    at: z.string().nullable(),
  })
  .meta({ id: 'AppMetadata' });

const extension = z
  .object({
    url: z.string(),
    metadata: metadata.nullable().meta({ description: 'Null until the application has described itself' }),
    verified: z.boolean().meta({ description: 'Operators have verified it' }),
    reportsSummary: z.object({ spam: count, scam: count, bug: count, offense: count }),
    rating: z.number().min(0).max(5).meta({
      description:
        'The mean of the signed reviews, or of all reviews while none is signed; 0 without reviews',
    }),
    reviewsCount: count,
  })
  .meta({ id: 'CatalogEntry' });

export const appCatalog = endpoint({
  group,
  method: 'GET',
  path: '/apps/catalog',
  summary: 'Ratings, reviews and reports of an application; empty for a page that cannot be one',
  examples: [{ query: { url: EXAMPLE_URL } }],
  query: z.object({ url: visitedUrl }),
  etag: true,
  response: z.object({ extension }),
});

export const appMetadata = endpoint({
  group,
  method: 'GET',
  path: '/apps/metadata',
  summary:
    'Metadata of an application: name, icon, domain. Null for a page that cannot be one: with a port, at an IP address, or not https',
  examples: [{ query: { url: EXAMPLE_URL } }],
  query: z.object({ url: visitedUrl }),
  etag: true,
  response: metadata.nullable(),
});

export const appImage = endpoint({
  group,
  method: 'GET',
  path: '/apps/image',
  summary: 'Preview image of an application, re-encoded, at most 256 pixels a side',
  examples: [{ query: { url: EXAMPLE_URL, digest: 'ab9102fcdeacb2f0957eae142b298635' } }],
  query: z.object({ url: applicationUrl, digest: imageDigest }),
  kind: 'raw',
  contentType: 'image/webp',
  responseHeaders: IMAGE_RESPONSE_HEADERS,
  errors: ['app_image_not_found'],
});

/** Reviews of a list. */
export const MAX_LISTED_REVIEWS = 20;

export const appReviews = endpoint({
  group,
  method: 'GET',
  path: '/apps/reviews',
  summary: `A wallet's own review, and the ${MAX_LISTED_REVIEWS} latest of all wallets`,
  examples: [{ query: { url: EXAMPLE_URL, address: LOCAL.aliceWallet, network: 'mainnet' } }],
  query: z.object({ url: visitedUrl, address: tonAddress.optional(), network: tonNetwork.optional() }),
  response: z.object({
    /** Of `address`, also while operators hide it. */
    review: appReview.nullable(),
    reviews: z.array(appReview),
  }),
  minPosition: true,
  errors: ['network_mismatch'],
});

const author = { address: tonAddress, network: tonNetwork.optional() };

export const submitAppReview = endpoint({
  group,
  method: 'POST',
  path: '/apps/reviews',
  operationId: 'submitAppReview',
  summary:
    "Reviews an application, replacing the wallet's earlier review. Without a signature only the caller that was first replaces it: those of others stand beside it once, do not count, and are refused when they are too many",
  examples: [
    { body: { url: EXAMPLE_URL, input: { rating: 5, address: LOCAL.aliceWallet, comment: null } } },
    {
      body: {
        url: EXAMPLE_URL,
        input: {
          rating: 4,
          address: LOCAL.aliceWallet,
          comment: { text: 'It works', images: [] },
          signature: EXAMPLE_SIGNATURE,
          timestamp: 1_767_225_600,
        },
      },
    },
  ],
  body: z.object({
    url: applicationUrl,
    input: z
      .object({
        ...author,
        rating,
        comment: comment.nullish(),
        signature: walletSignature.optional().meta({
          description:
            'Ed25519, in base64, of the SHA-256 of the canonical JSON (RFC 8785) of `type` (`APP_REVIEW`), `url` as `GET /apps/catalog` answers it, `address` as in the body, `rating`, `comment` (`text` and `images`, or null) and `timestamp`',
        }),
        timestamp: signedTimestamp.optional(),
        publicKey: walletPublicKey.optional(),
      })
      .refine(({ signature, timestamp }) => (signature === undefined) === (timestamp === undefined), {
        path: ['timestamp'],
        message: 'must be given with `signature`, and only then',
      }),
  }),
  response: z.object({ review: appReview }),
  responseHeaders: LEDGER_POSITION,
  rateLimit: APP_REVIEWS,
  errors: ['network_mismatch', 'signature_required', ...SIGNATURE_ERRORS],
});

const appReport = z
  .object({
    _id: z.string(),
    url: z.string(),
    address: z.string(),
    type: z.enum(APP_REPORT_TYPES),
    createdAt: milliseconds,
    comment: comment.nullable(),
  })
  .meta({ id: 'AppReport' });

export const submitAppReport = endpoint({
  group,
  method: 'POST',
  path: '/apps/reports',
  operationId: 'submitAppReport',
  summary:
    'Reports an application to the operators; a wallet counts once for each type. What is not recorded is refused',
  examples: [
    {
      body: {
        url: EXAMPLE_URL,
        input: {
          type: 'scam',
          address: LOCAL.aliceWallet,
          comment: { text: 'It asks for the seed', images: [] },
        },
      },
    },
  ],
  body: z.object({
    url: applicationUrl,
    input: z.object({ ...author, type: z.enum(APP_REPORT_TYPES), comment: comment.nullish() }),
  }),
  response: z.object({ report: appReport }),
  responseHeaders: LEDGER_POSITION,
  rateLimit: APP_REVIEWS,
  errors: ['network_mismatch', 'app_report_exists', 'app_report_dismissed', 'too_many_app_reports'],
});
