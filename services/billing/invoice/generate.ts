import type { CommandMetadata } from '../../../contracts/decider';
import { invoiceStream } from '../../../contracts/events/invoice';
import { invoicePeriodStream } from '../../../contracts/events/invoice-period';
import type { Position } from '../../../contracts/position';
import { Problem } from '../../../contracts/problem';
import { accepted } from '../accepted';
import { contentHash } from './content';
import { invoiceKind, periodExists } from './decider';
import type { Done, InvoiceDeps } from './deps';
import { draft } from './draft';
import { draftLines, PART_BYTES } from './parts';
import { load } from '../load';
import { traceOf } from '../../trace';
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
  const { invoiceId: proposed, generated } = await ownId(deps, metadata);
  if (generated !== null) return { invoiceId: proposed, position: generated };

  // Whoever finds a period half done may reserve or release it again: these are no steps that a call makes only once.
  const { commandId: _, ...untraced } = metadata;
  const periodStream = invoicePeriodStream(deps.instanceId, billingPeriod);
  const period = (type: 'reserve' | 'release', invoiceId: string) =>
    handle(invoicePeriodKind, periodStream, { type, invoiceId, billingPeriod, metadata: untraced });

  const { holder } = await load(store, invoicePeriodKind, periodStream);
  if (holder !== null) {
    const held = await load(store, invoiceKind, invoiceStream(holder));
    if (held && held.status !== 'void') {
      const ours = await traceOf(store, invoiceStream(holder), { type: 'generate', metadata });
      if (ours !== null) return { invoiceId: holder, position: ours };
      throw Problem.of(periodExists(billingPeriod, holder));
    }
    if (held) await period('release', holder);
  }

  const { reversedBefore, ...snapshot } = await draft(deps, billingPeriod);
  const { state } = accepted(await period('reserve', proposed));
  const invoiceId = state.holder!;
  const content = { ...snapshot, invoiceId, replacesInvoiceId: state.previous };
  const told = await draftLines(store, content, deps.partBytes ?? PART_BYTES, metadata);
  const { position } = accepted(
    await handle(invoiceKind, invoiceStream(invoiceId), {
      type: 'generate',
      content: { ...content, ...told, reversedBefore, contentHash: contentHash(content) },
      metadata,
    }),
  );
  return { invoiceId, position };
}

/**
 * The id for the invoice of this call, and where an attempt that was cut off has generated it. Under the first id of a
 * call somebody else may have generated one, where the attempt had got no further than to reserve the period.
 */
async function ownId(
  { store, newId }: InvoiceDeps,
  metadata: CommandMetadata,
): Promise<{ readonly invoiceId: string; readonly generated: Position | null }> {
  if (metadata['commandId'] === undefined) return { invoiceId: newId(), generated: null };
  for (;;) {
    const invoiceId = newId();
    const generated = await traceOf(store, invoiceStream(invoiceId), { type: 'generate', metadata });
    if (generated !== null || !(await load(store, invoiceKind, invoiceStream(invoiceId))))
      return { invoiceId, generated };
  }
}
