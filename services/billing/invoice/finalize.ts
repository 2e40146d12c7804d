import type { CommandMetadata } from '../../../contracts/decider';
import { invoiceStream } from '../../../contracts/events/invoice';
import { invoiceNumberStream } from '../../../contracts/events/invoice-number';
import { unwrap } from '../unwrap';
import { invoiceKind } from './decider';
import type { InvoiceResult, InvoiceDeps } from './deps';
import { invoiceNumberKind } from './number';
import { findPriorExecution } from '../../commands/prior-execution';

/**
 * Assigns the next number of the year to a draft and finalizes it.
 * @throws Problem 404 `invoice_not_found`, 409 `invoice_not_draft`
 */
export async function finalizeInvoice(
  { store, handle, calendar, instanceId }: InvoiceDeps,
  invoiceId: string,
  metadata: CommandMetadata,
): Promise<InvoiceResult> {
  const stream = invoiceStream(invoiceId);
  // Finalized by an earlier attempt of this call: starting would now be refused.
  const finalized = await findPriorExecution(store, stream, { type: 'finalize', metadata });
  if (finalized !== null) return { invoiceId, position: finalized };

  const started = unwrap(
    await handle(invoiceKind, stream, {
      type: 'start_finalization',
      invoiceId,
      issuedOn: calendar.dayOf(metadata.now),
      metadata,
    }),
  );
  // The day of the first attempt counts: a retry in the next year must find the number in its stream.
  const issuedOn = started.state!.issuedOn!;
  const numbers = unwrap(
    await handle(invoiceNumberKind, invoiceNumberStream(instanceId, issuedOn.slice(0, 4)), {
      type: 'assign',
      invoiceId,
      issuedOn,
      metadata,
    }),
  );
  const { position } = unwrap(
    await handle(invoiceKind, stream, {
      type: 'finalize',
      invoiceId,
      number: numbers.state.get(invoiceId)!,
      metadata,
    }),
  );
  return { invoiceId, position };
}
