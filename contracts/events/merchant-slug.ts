import { z } from 'zod';
import { eventFamily, eventType, type EventOf } from './event-type';

/** The category of the streams of slugs: `merchantSlug-<slug>`, one per slug that a merchant has or had. */
export const MERCHANT_SLUG_CATEGORY = 'merchantSlug';

export function merchantSlugStream(slug: string): string {
  return `${MERCHANT_SLUG_CATEGORY}-${slug}`;
}

// This type is the storage format.
const taken = eventType({
  name: 'MerchantSlugTaken',
  schema: z.object({ slug: z.string(), merchant_id: z.string() }),
});

export const merchantSlugEvents = eventFamily(taken);
export type MerchantSlugEvent = EventOf<typeof taken>;
