import { z } from 'zod';
import { eventFamily, eventType, type EventOf } from './event-type';
import { month } from './month';

export const INVOICE_PERIOD_CATEGORY = 'invoicePeriod';

/** Which invoice holds a billing period of an instance: at most one that is not void. */
export function invoicePeriodStream(instanceId: string, billingPeriod: string): string {
  return `${INVOICE_PERIOD_CATEGORY}-${instanceId}-${billingPeriod}`;
}

const holder = z.object({ invoiceId: z.string(), billingPeriod: month });

// These types are the storage format.
const reserved = eventType({ name: 'InvoicePeriodReserved', schema: holder });
const released = eventType({ name: 'InvoicePeriodReleased', schema: holder });

export const invoicePeriodEvents = eventFamily(reserved, released);
export type InvoicePeriodEvent = EventOf<typeof reserved | typeof released>;
