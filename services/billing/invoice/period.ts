import type { CommandMetadata, Decider } from '../../../contracts/decider';
import { invoicePeriodEvents, type InvoicePeriodEvent } from '../../../contracts/events/invoice-period';
import type { StreamKind } from '../../commands/stream-kind';

interface InvoicePeriod {
  /** The invoice that holds the period. */
  readonly holder: string | null;
  /** The invoice that held it before. */
  readonly previous: string | null;
}

interface InvoicePeriodCommand {
  readonly metadata: CommandMetadata;
  readonly type: 'reserve' | 'release';
  readonly invoiceId: string;
  readonly billingPeriod: string;
}

/**
 * A period has one holder. Reserving a held period and releasing one that the invoice does not hold change nothing, so
 * both can be repeated after a crash.
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
