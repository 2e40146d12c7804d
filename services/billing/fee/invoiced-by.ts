import type { BillingPeriod } from '../../../contracts/time/billing-period';
import { feeEvents, feeStream } from '../../../contracts/events/fee';
import { invoiceStream } from '../../../contracts/events/invoice';
import { invoicePeriodStream } from '../../../contracts/events/invoice-period';
import type { Position } from '../../../contracts/position';
import type { EventStore } from '../../../contracts/ports/event-store';
import { invoiceKind, type Invoice } from '../invoice/decider';
import { invoicePeriodKind } from '../invoice/period';
import { load } from '../../commands/load';
import { memoize } from '../report/memoize';

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
    const fee = await collectedFrom(store, feeId);
    if (!fee) return null;
    const invoice = await liveInvoice(fee.billingPeriod);
    if (!invoice || fee.collected > invoice.ledgerPosition) return null;
    return fee.reversed !== null && fee.reversed <= invoice.ledgerPosition ? null : invoice.invoiceId;
  };
}

interface CollectedFee {
  readonly billingPeriod: BillingPeriod;
  /** From this position on it is collected. */
  readonly collected: Position;
  /** And no longer from this one on, at which it was reversed in place; null when it was not. */
  readonly reversed: Position | null;
}

async function collectedFrom(store: InvoiceLookupDeps['store'], feeId: string): Promise<CollectedFee | null> {
  let fee: CollectedFee | null = null;
  for await (const recorded of store.readStream(feeStream(feeId))) {
    const { type, data } = feeEvents.read(recorded);
    const { position } = recorded;
    if (type === 'FeeCollected' || (type === 'FeeRecorded' && data.collection_status === 'collected'))
      fee = { billingPeriod: data.billing_period, collected: position, reversed: null };
    if (fee && type === 'FeeReversed' && data.adjustment === null) fee = { ...fee, reversed: position };
  }
  return fee;
}
