import type { CommandMetadata } from '../../../contracts/decider';
import { invoiceStream } from '../../../contracts/events/invoice';
import { invoicePeriodStream } from '../../../contracts/events/invoice-period';
import { Problem } from '../../../contracts/problem/problem';
import type { BillingDeps } from '../deps';
import { unwrap } from '../unwrap';
import { FINALIZING, invoiceKind, isReasonMissing } from './decider';
import type { InvoiceDeps, InvoiceResult } from './deps';
import { finalizeInvoice } from './finalize';
import { load } from '../../commands/load';
import { invoicePeriodKind } from './period';

/**
 * Voids an invoice and frees its period.
 * @param reasonText free text, encrypted with the key of the actor
 * @throws Problem 400 without the reason that the instance requires, 404 `invoice_not_found`, 409 `invoice_already_void`
 */
export async function voidInvoice(
  deps: InvoiceDeps & Pick<BillingDeps, 'voidReasonRequired'>,
  invoiceId: string,
  reasonText: string | null,
  metadata: CommandMetadata,
): Promise<InvoiceResult> {
  const { handle, store, instanceId, texts, voidReasonRequired: isReasonRequired } = deps;
  const stream = invoiceStream(invoiceId);
  const reason = reasonText === null ? null : await texts.encrypt(metadata.actor, reasonText);
  const attempt = () =>
    handle(invoiceKind, stream, { type: 'void', invoiceId, reason, isReasonRequired, metadata });

  let outcome = await attempt();
  if (outcome.refusal && isReasonMissing(outcome.refusal))
    throw Problem.invalid('/body/reason', outcome.refusal.detail, 'required');
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
  return { invoiceId, position: unwrap(outcome).position };
}

/** The interrupted finalization was completed by another call. */
function ignoreFinalizedByAnother(error: unknown): void {
  if (!(error instanceof Problem && error.code === 'invoice_not_draft')) throw error;
}
