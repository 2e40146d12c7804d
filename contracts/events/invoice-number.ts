import { z } from 'zod';
import { eventFamily, eventType, type EventOf } from './event-type';

export const INVOICE_NUMBER_CATEGORY = 'invoiceNumber';

/** The sequence of invoice numbers of a year: its events are the numbers, in order and without a gap. */
export function invoiceNumberStream(instanceId: string, year: string): string {
  return `${INVOICE_NUMBER_CATEGORY}-${instanceId}-${year}`;
}

// These types are the storage format.
const assigned = eventType({
  name: 'InvoiceNumberAssigned',
  schema: z.object({ invoiceId: z.string(), sequence: z.int(), number: z.string() }),
});

export const invoiceNumberEvents = eventFamily(assigned);
export type InvoiceNumberEvent = EventOf<typeof assigned>;
