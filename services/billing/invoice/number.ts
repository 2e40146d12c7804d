import type { CommandMetadata, Decider } from '../../../contracts/decider';
import { invoiceNumberEvents, type InvoiceNumberEvent } from '../../../contracts/events/invoice-number';
import type { StreamKind } from '../../commands/stream-kind';

/** The numbers of a year by invoice, in the order they were assigned. */
type InvoiceNumbers = ReadonlyMap<string, string>;

interface InvoiceNumberCommand {
  readonly metadata: CommandMetadata;
  readonly type: 'assign';
  readonly invoiceId: string;
  /** Calendar day on which finalizing started. */
  readonly issuedOn: string;
}

/** The next number for an invoice that has none: `INV-<year><month of issue>-<sequence of the year>`. */
export const invoiceNumberDecider: Decider<InvoiceNumbers, InvoiceNumberCommand, InvoiceNumberEvent> = {
  initial: () => new Map(),

  evolve: (numbers, { data }) => new Map(numbers).set(data.invoiceId, data.number),

  decide(numbers, { invoiceId, issuedOn }) {
    if (numbers.has(invoiceId)) return [];
    const sequence = numbers.size + 1;
    const number = `INV-${issuedOn.slice(0, 7).replace('-', '')}-${String(sequence).padStart(4, '0')}`;
    return [{ type: 'InvoiceNumberAssigned', data: { invoiceId, sequence, number } }];
  },
};

export const invoiceNumberKind: StreamKind<InvoiceNumbers, InvoiceNumberCommand, InvoiceNumberEvent> = {
  decider: invoiceNumberDecider,
  events: invoiceNumberEvents,
};
