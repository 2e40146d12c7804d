import type { BillingPeriod } from '../../../contracts/billing-period';
import { feeEvents, feeStream } from '../../../contracts/events/fee';
import { invoiceStream } from '../../../contracts/events/invoice';
import { invoicePeriodStream } from '../../../contracts/events/invoice-period';
import type { Position } from '../../../contracts/position';
import type { EventStore } from '../../../contracts/ports/event-store';
import { invoiceKind, type Invoice } from '../invoice/decider';
import { invoicePeriodKind } from '../invoice/period';
import { load } from '../load';
import { memoize } from '../memoize';

export interface InvoiceLookupDeps {
  readonly store: Pick<EventStore, 'readStream'>;
  readonly instanceId: string;
}

/**
 * Finds the live invoice with a fee in its lines, from the streams of the fee, its period and the invoice; null when there
 * is none. An invoice between its snapshot and its draft is not found: a reversal at that moment is in place, and the
 * invoice counts it in `reversedFeeCount` until it is replaced.
 */
export function createInvoiceLookup({
  store,
  instanceId,
}: InvoiceLookupDeps): (feeId: string) => Promise<string | null> {
  const liveInvoice = memoize(async (billingPeriod: BillingPeriod): Promise<Invoice | null> => {
    const { holder } = await load(store, invoicePeriodKind, invoicePeriodStream(instanceId, billingPeriod));
    const invoice = holder === null ? null : await load(store, invoiceKind, invoiceStream(holder));
    return invoice?.status === 'void' ? null : invoice;
  });
  return async feeId => {
    const collected = await collectedAt(store, feeId);
    if (!collected) return null;
    const invoice = await liveInvoice(collected.billingPeriod);
    return invoice && collected.position <= invoice.ledgerPosition ? invoice.invoiceId : null;
  };
}

async function collectedAt(
  store: InvoiceLookupDeps['store'],
  feeId: string,
): Promise<{ readonly billingPeriod: BillingPeriod; readonly position: Position } | null> {
  for await (const recorded of store.readStream(feeStream(feeId))) {
    const { type, data } = feeEvents.read(recorded);
    if (type === 'FeeCollected' || (type === 'FeeRecorded' && data.collection_status === 'collected'))
      return { billingPeriod: data.billing_period, position: recorded.position };
  }
  return null;
}
