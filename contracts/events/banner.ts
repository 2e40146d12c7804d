import { z } from 'zod';
import { eventFamily, eventType, type EventOf } from './event-type';

/** The category of the streams of banners, one stream per banner. */
export const BANNER_CATEGORY = 'banner';

/** Where wallets show banners: in the browser of applications, in that of the card service, and as an advertisement. */
export const BANNER_PLACES = ['browser', 'card', 'advertisement'] as const;
export type BannerPlace = (typeof BANNER_PLACES)[number];

/** Such as `browser:7`: the id of the document, and in the name of the stream. */
export function bannerId(place: BannerPlace, id: string): string {
  return `${place}:${id}`;
}

export function bannerStream(place: BannerPlace, id: string): string {
  return `${BANNER_CATEGORY}-${bannerId(place, id)}`;
}

const banner = {
  place: z.enum(BANNER_PLACES),
  /** Chosen by the operator; digits but for an advertisement. */
  id: z.string(),
  /** RFC 3339 UTC instant with milliseconds. */
  at: z.iso.datetime(),
  by: z.string(),
};

// These types are the storage format.
/** Replaces what was published with the id before. */
const published = eventType({
  name: 'BannerPublished',
  schema: z.object({ ...banner, content: z.record(z.string(), z.json()) }),
});
const retired = eventType({ name: 'BannerRetired', schema: z.object(banner) });

export const bannerEvents = eventFamily(published, retired);
export type BannerEvent = EventOf<typeof published | typeof retired>;
