import type { BillingPeriod } from '../../../contracts/billing-period';
import { feeEvents, feeStream } from '../../../contracts/events/fee';
import { invoiceStream } from '../../../contracts/events/invoice';
import { invoicePeriodStream } from '../../../contracts/events/invoice-period';
import type { Position } from '../../../contracts/position';
import type { EventStore } from '../../../contracts/ports/event-store';
import { invoiceKind, type Invoice } from '../invoice/decider';
import { invoicePeriodKind } from '../invoice/period';
import { load } from '../load';
import { onceEach } from '../once';

export interface HeldDeps {
  readonly store: Pick<EventStore, 'readStream'>;
  readonly instanceId: string;
}

/**
 * Tells the invoice that is not void and has a fee in its lines, by the streams of the fee, its period and the invoice;
 * null when there is none. An invoice whose snapshot is taken but not yet written is not seen: a reversal that falls
 * into that moment is made in place, and the invoice counts it in its `reversedFeeCount` until it is replaced.
 */
export function createHolders({ store, instanceId }: HeldDeps): (feeId: string) => Promise<string | null> {
  const liveInvoice = onceEach(async (billingPeriod: BillingPeriod): Promise<Invoice | null> => {
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
  store: HeldDeps['store'],
  feeId: string,
): Promise<{ readonly billingPeriod: BillingPeriod; readonly position: Position } | null> {
  for await (const recorded of store.readStream(feeStream(feeId))) {
    const { type, data } = feeEvents.read(recorded);
    if (type === 'FeeCollected' || (type === 'FeeRecorded' && data.collection_status === 'collected'))
      return { billingPeriod: data.billing_period, position: recorded.position };
  }
  return null;
}
