import { invoiceId } from '../../../../contracts/http/billing/fields';
import type { EventStore } from '../../../../contracts/ports/event-store';
import { Problem } from '../../../../contracts/problem/problem';
import { invoiceOfNumber, parseInvoiceNumber } from '../../../../services/billing/invoice/number';
import { UsageError } from '../../commands/usage-error';

/** @throws UsageError */
export function assertNamesInvoice(text: string): void {
  if (parseInvoiceNumber(text) || invoiceId.safeParse(text).success) return;
  throw new UsageError(`${text}: neither the id of an invoice nor a number such as INV-202610-0001`);
}

/**
 * The id of the invoice that somebody has named by its id or its number.
 * @throws Problem `invoice_not_found` where no invoice has the number
 */
export async function givenInvoiceId(
  store: Pick<EventStore, 'readStream'>,
  instanceId: string,
  text: string,
): Promise<string> {
  if (!parseInvoiceNumber(text)) return text;
  const id = await invoiceOfNumber(store, instanceId, text);
  if (id === null) throw new Problem('invoice_not_found', `There is no invoice ${text}.`);
  return id;
}
