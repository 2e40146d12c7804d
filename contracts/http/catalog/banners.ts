import { z } from 'zod';
import { parseUrl } from '../../url/parse-url';
import { appVersion } from '../../text/app-version';
import type { BannerPlace } from '../../events/banner';
import { visibleLine } from '../../text/visible-text';
import { endpoint } from '../endpoint';
import { readJson } from '../../json/read-json';
import { urlText } from '../../url/url-text';

const group = 'Application configuration, catalog, banners';

const text = z.string().min(1).max(500);
const title = visibleLine(500);
const link = urlText({ max: 2_000, protocol: /^https$/ });
const HARMFUL_SCHEMES: ReadonlySet<string> = new Set(['javascript:', 'data:', 'file:', 'vbscript:', 'blob:']);
/** Of wallets, such as `mailto:` or an own scheme: they open it as a link. */
const productLink = urlText({ max: 2_000 }).refine(isHarmless, 'neither javascript: nor data: nor file:');
const milliseconds = z.int().min(0).max(253_402_300_799_999);

/** By the scheme that a parser reads, which skips control characters before and within it. */
function isHarmless(url: string): boolean {
  const parsed = parseUrl(url);
  return parsed !== null && !HARMFUL_SCHEMES.has(parsed.protocol);
}

/** From when and until when a banner is shown: milliseconds since the epoch, the end exclusive. */
const period = { start_date: milliseconds, expiration_date: milliseconds };
const endsAfterStart = {
  check: ({ start_date, expiration_date }: Record<keyof typeof period, number>): boolean =>
    start_date < expiration_date,
  error: { path: ['expiration_date'], message: 'must be after start_date' },
};

const weight = z.number().min(0).max(1_000_000);
const category = z.strictObject({
  id: text,
  title: title.optional(),
  description: text.optional(),
  weight: z.union([z.number(), text]).optional(),
});
const isCategory = (json: string): boolean => {
  try {
    return category.safeParse(readJson(json)).success;
  } catch {
    return false;
  }
};

/** A banner of a browser, as wallets read it. They leave out those that are for others, by region or network. */
export const listing = z
  .strictObject({
    id: z.int().min(0).max(Number.MAX_SAFE_INTEGER),
    product_url: productLink,
    ...period,
    enabled: z.boolean(),
    weight: weight.optional(),
    image_url: link.nullish(),
    icon_url: link.nullish(),
    title: title.nullish(),
    description: text.nullish(),
    banner_type: text.nullish(),
    regions_to_include: text.nullish(),
    regions_to_exclude: text.nullish(),
    category: z
      .string()
      .max(2_000)
      .refine(isCategory, 'JSON text of {id, title?, description?, weight?}')
      .nullish(),
    is_test: z.boolean().nullish().meta({ description: 'For the test network only' }),
  })
  .refine(endsAfterStart.check, endsAfterStart.error)
  .meta({ id: 'BannerListing' });

const PLATFORMS = ['ios', 'android'] as const;
const language = z
  .string()
  .regex(/^[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{2,8})*$/, 'must be a language tag such as en or zh-Hant');

/** What a wallet shows of an advertisement. */
const product = z.object({ id: z.string(), image: link, title, description: text, url: productLink });

/** An advertisement: what is shown, when, and to which wallets: all of them where nothing is said. */
export const advertisement = z
  .strictObject({
    ...product.shape,
    id: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, 'must be letters, digits, - and _'),
    ...period,
    weight: weight.positive().default(1),
    platforms: z.array(z.enum(PLATFORMS)).min(1).optional(),
    /** Primary languages, such as `en`. */
    languages: z
      .array(z.string().regex(/^[a-z]{2,3}$/, 'must be a primary language such as en'))
      .min(1)
      .optional(),
    /** Versions of the application, both inclusive. */
    min_version: appVersion.optional(),
    max_version: appVersion.optional(),
  })
  .refine(endsAfterStart.check, endsAfterStart.error);
export type Advertisement = z.output<typeof advertisement>;

/** What operators may publish at each place. */
export const BANNER_CONTENT = {
  browser: listing,
  card: listing,
  advertisement,
} as const satisfies Record<BannerPlace, z.ZodType>;

const listings = z.object({ banners: z.array(listing) });

export const browserBanners = endpoint({
  group,
  method: 'GET',
  path: '/wallet/banners',
  aliases: ['/tonhub/banners'],
  summary: 'Banners currently shown in the app browser',
  examples: [{}],
  response: listings,
});

export const cardBanners = endpoint({
  group,
  method: 'GET',
  path: '/wallet/card-service/banners',
  aliases: ['/tonhub/holders/banners'],
  summary: 'Banners currently shown about the card service',
  examples: [{}],
  response: listings,
});

/** The wallet that an advertisement is for. */
export const adViewer = z.object({
  version: appVersion,
  buildNumber: z
    .string()
    .regex(/^[\w.-]{1,32}$/, 'must be a build number')
    .optional(),
  platform: z.enum(PLATFORMS),
  language,
});
export type AdViewer = z.output<typeof adViewer>;

export const adBanner = endpoint({
  group,
  method: 'GET',
  path: '/ads/banners',
  summary: "Today's advertisement for a wallet; null when there is none",
  examples: [{ query: { version: '2.3.12', buildNumber: '231', platform: 'ios', language: 'en' } }],
  query: adViewer,
  response: z.object({ product: product.nullable() }),
});
