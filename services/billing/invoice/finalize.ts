import type { CommandMetadata } from '../../../contracts/decider';
import { invoiceStream } from '../../../contracts/events/invoice';
import { invoiceNumberStream } from '../../../contracts/events/invoice-number';
import { accepted } from '../accepted';
import { invoiceKind } from './decider';
import type { Done, InvoiceDeps } from './deps';
import { invoiceNumberKind } from './number';
import { traceOf } from '../../trace';

/**
 * Gives a draft the next number of the year and fixes it for good.
 * @throws Problem 404 `invoice_not_found`, 409 `invoice_not_draft`
 */
export async function finalizeInvoice(
  { store, handle, calendar, instanceId }: InvoiceDeps,
  invoiceId: string,
  metadata: CommandMetadata,
): Promise<Done> {
  const stream = invoiceStream(invoiceId);
  // Begun by somebody else and brought to its end by an attempt of this call: to begin would be refused now.
  const finalized = await traceOf(store, stream, { type: 'finalize', metadata });
  if (finalized !== null) return { invoiceId, position: finalized };

  const begun = accepted(
    await handle(invoiceKind, stream, {
      type: 'begin_finalization',
      invoiceId,
      issuedOn: calendar.dayOf(metadata.now),
      metadata,
    }),
  );
  // The day of the first attempt counts: a retry in the next year must find the number where it was taken.
  const issuedOn = begun.state!.issuedOn!;
  const numbers = accepted(
    await handle(invoiceNumberKind, invoiceNumberStream(instanceId, issuedOn.slice(0, 4)), {
      type: 'assign',
      invoiceId,
      issuedOn,
      metadata,
    }),
  );
  const { position } = accepted(
    await handle(invoiceKind, stream, {
      type: 'finalize',
      invoiceId,
      number: numbers.state.get(invoiceId)!,
      metadata,
    }),
  );
  return { invoiceId, position };
}
