import type { CommandMetadata, Decider } from '../../../contracts/decider';
import {
  invoiceNumberEvents,
  invoiceNumberStream,
  type InvoiceNumberEvent,
} from '../../../contracts/events/invoice-number';
import type { EventStore } from '../../../contracts/ports/event-store';
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

const NUMBER = /^INV-(\d{4})\d{2}-(\d{4,15})$/;

/** The year and the place in its sequence, from 1; null of a text that is no number of an invoice. */
export function parseInvoiceNumber(
  text: string,
): { readonly year: string; readonly sequence: number } | null {
  const [, year, digits] = NUMBER.exec(text) ?? [];
  const sequence = Number(digits);
  return year !== undefined && sequence > 0 ? { year, sequence } : null;
}

/** The id of the invoice that has a number; null where none has it. */
export async function invoiceOfNumber(
  store: Pick<EventStore, 'readStream'>,
  instanceId: string,
  number: string,
): Promise<string | null> {
  const parsed = parseInvoiceNumber(number);
  if (!parsed) return null;
  const stream = invoiceNumberStream(instanceId, parsed.year);
  for await (const recorded of store.readStream(stream, { from: parsed.sequence - 1, limit: 1 })) {
    const { data } = invoiceNumberEvents.read(recorded);
    return data.number === number ? data.invoiceId : null;
  }
  return null;
}
