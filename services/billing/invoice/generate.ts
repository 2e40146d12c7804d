import type { CommandMetadata } from '../../../contracts/decider';
import { invoiceStream } from '../../../contracts/events/invoice';
import { invoicePeriodStream } from '../../../contracts/events/invoice-period';
import { Problem } from '../../../contracts/problem';
import { accepted } from '../accepted';
import { contentHash } from './content';
import { invoiceKind, periodExists } from './decider';
import type { Done, InvoiceDeps } from './deps';
import { draft } from './draft';
import { load } from './load';
import { invoicePeriodKind } from './period';

/**
 * Drafts the invoice of a period.
 * @throws Problem 409 `invoice_period_exists` while another one is not void, 422 `no_collected_fees`
 */
export async function generateInvoice(
  deps: InvoiceDeps,
  billingPeriod: string,
  metadata: CommandMetadata,
): Promise<Done> {
  const { store, handle } = deps;
  const periodStream = invoicePeriodStream(deps.instanceId, billingPeriod);
  const period = (type: 'reserve' | 'release', invoiceId: string) =>
    handle(invoicePeriodKind, periodStream, { type, invoiceId, billingPeriod, metadata });

  const { holder } = await load(store, invoicePeriodKind, periodStream);
  if (holder !== null) {
    const held = await load(store, invoiceKind, invoiceStream(holder));
    if (held && held.status !== 'void') throw Problem.of(periodExists(billingPeriod, holder));
    if (held) await period('release', holder);
  }

  const { reversedBefore, ...snapshot } = await draft(deps, billingPeriod);
  const { state } = accepted(await period('reserve', deps.newId()));
  const invoiceId = state.holder!;
  const content = { ...snapshot, invoiceId, replacesInvoiceId: state.previous };
  const { position } = accepted(
    await handle(invoiceKind, invoiceStream(invoiceId), {
      type: 'generate',
      content: { ...content, reversedBefore, contentHash: contentHash(content) },
      metadata,
    }),
  );
  return { invoiceId, position };
}
