import type { CommandMetadata } from '../../../contracts/decider';
import { invoiceStream } from '../../../contracts/events/invoice';
import { invoicePeriodStream } from '../../../contracts/events/invoice-period';
import { Problem } from '../../../contracts/problem';
import { accepted } from '../accepted';
import { FINALIZING, invoiceKind } from './decider';
import type { Done, InvoiceDeps } from './deps';
import { finalizeInvoice } from './finalize';
import { load } from '../load';
import { invoicePeriodKind } from './period';

/**
 * Makes an invoice void for good and frees its period.
 * @param given why, in free text; kept sealed under the key of who gives it
 * @throws Problem 404 `invoice_not_found`, 409 `invoice_already_void`
 */
export async function voidInvoice(
  deps: InvoiceDeps,
  invoiceId: string,
  given: string | null,
  metadata: CommandMetadata,
): Promise<Done> {
  const { handle, store, instanceId, texts } = deps;
  const stream = invoiceStream(invoiceId);
  const reason = given === null ? null : await texts.seal(metadata.actor, given);
  const attempt = () => handle(invoiceKind, stream, { type: 'void', invoiceId, reason, metadata });

  let outcome = await attempt();
  if (outcome.refusal?.code === FINALIZING) {
    await finalizeInvoice(deps, invoiceId, metadata).catch(ignoreFinalizedByAnother);
    outcome = await attempt();
  }
  const invoice = await load(store, invoiceKind, stream);
  if (invoice?.status === 'void') {
    await handle(invoicePeriodKind, invoicePeriodStream(instanceId, invoice.billingPeriod), {
      type: 'release',
      invoiceId,
      billingPeriod: invoice.billingPeriod,
      metadata,
    });
  }
  return { invoiceId, position: accepted(outcome).position };
}

/** The finalisation that was under way came to its end meanwhile. */
function ignoreFinalizedByAnother(error: unknown): void {
  if (!(error instanceof Problem && error.code === 'invoice_not_draft')) throw error;
}
