import { z } from 'zod';
import { eventFamily, eventType, type EventOf } from './event-type';

/** The category of the streams of merchants: `merchant-<id>`, one per merchant. */
export const MERCHANT_CATEGORY = 'merchant';

export function merchantStream(merchantId: string): string {
  return `${MERCHANT_CATEGORY}-${merchantId}`;
}

// This type is the storage format.
const named = eventType({
  name: 'MerchantNamed',
  schema: z.object({
    merchant_id: z.string(),
    name: z.string(),
    slug: z.string(),
    at: z.string(),
    by: z.string(),
  }),
});

export const merchantEvents = eventFamily(named);
export type MerchantEvent = EventOf<typeof named>;
