import type { CommandMetadata, Decider } from '../../../contracts/decider';
import { invoicePeriodEvents, type InvoicePeriodEvent } from '../../../contracts/events/invoice-period';
import type { StreamKind } from '../../handle';

interface InvoicePeriod {
  /** The invoice that holds the period. */
  readonly holder: string | null;
  /** The one that held it last before. */
  readonly previous: string | null;
}

interface InvoicePeriodCommand {
  readonly metadata: CommandMetadata;
  readonly type: 'reserve' | 'release';
  readonly invoiceId: string;
  readonly billingPeriod: string;
}

/**
 * A period has one holder. Asking for a period that is held is answered with who holds it, and letting go of what one
 * does not hold changes nothing, so that both may be repeated by whoever finds them half done.
 */
export const invoicePeriodDecider: Decider<InvoicePeriod, InvoicePeriodCommand, InvoicePeriodEvent> = {
  initial: () => ({ holder: null, previous: null }),

  evolve: (state, { type, data }) =>
    type === 'InvoicePeriodReserved'
      ? { ...state, holder: data.invoiceId }
      : { holder: null, previous: data.invoiceId },

  decide({ holder }, { type, invoiceId, billingPeriod }) {
    const data = { invoiceId, billingPeriod };
    if (type === 'reserve') return holder === null ? [{ type: 'InvoicePeriodReserved', data }] : [];
    return holder === invoiceId ? [{ type: 'InvoicePeriodReleased', data }] : [];
  },
};

export const invoicePeriodKind: StreamKind<InvoicePeriod, InvoicePeriodCommand, InvoicePeriodEvent> = {
  decider: invoicePeriodDecider,
  events: invoicePeriodEvents,
};
