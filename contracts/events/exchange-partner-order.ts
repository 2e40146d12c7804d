import { z } from 'zod';
import { eventFamily, eventType } from './event-type';

/** The category of the streams that say whose an order of a partner is, one stream per order of the partner. */
export const EXCHANGE_PARTNER_ORDER_CATEGORY = 'exchangePartnerOrder';

/** Its first event decides the owner, so that no order of a partner ever belongs to two of ours. */
export function exchangePartnerOrderStream(partner: string, partnerOrderId: string): string {
  return `${EXCHANGE_PARTNER_ORDER_CATEGORY}-${partner}:${partnerOrderId}`;
}

const claimed = eventType({
  name: 'ExchangePartnerOrderClaimed',
  schema: z.object({
    partner: z.string(),
    partnerOrderId: z.string(),
    /** Its owner. */
    orderId: z.string(),
    at: z.iso.datetime(),
  }),
});

export const exchangePartnerOrderEvents = eventFamily(claimed);
