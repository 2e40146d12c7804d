import type { CommandMetadata } from '../../../contracts/decider';
import { invoiceStream, type InvoiceContent } from '../../../contracts/events/invoice';
import { invoicePeriodStream } from '../../../contracts/events/invoice-period';
import type { Position } from '../../../contracts/position';
import { Problem } from '../../../contracts/problem/problem';
import { assertBegun } from '../begun-month';
import { unwrap } from '../unwrap';
import { contentHash } from './content-hash';
import { invoiceKind, periodExists } from './decider';
import type { InvoiceResult, InvoiceDeps } from './deps';
import { draft } from './draft';
import { draftLines, PART_BYTES } from './parts';
import { load } from '../../commands/load';
import { findPriorExecution } from '../../commands/prior-execution';
import { invoicePeriodKind } from './period';

export type InvoicePreview = Omit<InvoiceContent, 'invoiceId'>;

/**
 * Drafts the invoice of a period.
 * @throws Problem 400 for a month that has not begun, 409 `invoice_period_exists` while another one is not void, 422 `no_collected_fees`
 */
export async function generateInvoice(
  deps: InvoiceDeps,
  billingPeriod: string,
  metadata: CommandMetadata,
): Promise<InvoiceResult> {
  const { store, handle } = deps;
  assertBegun(deps.calendar, billingPeriod, metadata.now);
  const { invoiceId: proposed, generated } = await proposeId(deps, metadata);
  if (generated !== null) return { invoiceId: proposed, position: generated };

  // Any call may repeat a reservation or release that was interrupted, so they carry no command id.
  const { commandId: _, ...withoutCommandId } = metadata;
  const periodStream = invoicePeriodStream(deps.instanceId, billingPeriod);
  const period = (type: 'reserve' | 'release', invoiceId: string) =>
    handle(invoicePeriodKind, periodStream, {
      type,
      invoiceId,
      billingPeriod,
      metadata: withoutCommandId,
    });

  const { holder, held } = await holderOf(deps, billingPeriod);
  if (holder !== null && held) {
    if (held.status !== 'void') {
      const prior = await findPriorExecution(store, invoiceStream(holder), { type: 'generate', metadata });
      if (prior !== null) return { invoiceId: holder, position: prior };
      throw Problem.of(periodExists(billingPeriod, holder));
    }
    await period('release', holder);
  }

  const { reversedBefore, ...snapshot } = await draft(deps, billingPeriod);
  const { state } = unwrap(await period('reserve', proposed));
  const invoiceId = state.holder!;
  const content = { ...snapshot, invoiceId, replacesInvoiceId: state.previous };
  const stored = await draftLines(store, content, deps.partBytes ?? PART_BYTES, metadata);
  const { position } = unwrap(
    await handle(invoiceKind, invoiceStream(invoiceId), {
      type: 'generate',
      content: { ...content, ...stored, reversedBefore, contentHash: contentHash(content) },
      metadata,
    }),
  );
  return { invoiceId, position };
}

/**
 * What `generateInvoice` would draft now, without its id; nothing is written.
 * @throws Problem as `generateInvoice`
 */
export async function previewInvoice(
  deps: InvoiceDeps,
  billingPeriod: string,
  { now }: Pick<CommandMetadata, 'now'>,
): Promise<InvoicePreview> {
  assertBegun(deps.calendar, billingPeriod, now);
  const { holder, held, previous } = await holderOf(deps, billingPeriod);
  if (holder !== null && held && held.status !== 'void')
    throw Problem.of(periodExists(billingPeriod, holder));
  const { reversedBefore: _, ...content } = await draft(deps, billingPeriod);
  // A void holder is released before the draft, and so becomes the previous one.
  return { ...content, replacesInvoiceId: held ? holder : previous };
}

/** The invoice that holds a period, and the one before it. `held` is null when only the period was reserved. */
async function holderOf({ store, instanceId }: InvoiceDeps, billingPeriod: string) {
  const period = await load(store, invoicePeriodKind, invoicePeriodStream(instanceId, billingPeriod));
  const { holder } = period;
  const held = holder === null ? null : await load(store, invoiceKind, invoiceStream(holder));
  return { ...period, held };
}

/**
 * The id for the invoice of this call, and the position at which an earlier attempt generated it. When that attempt only
 * reserved the period, another call may have generated an invoice under its first id.
 */
async function proposeId(
  { store, newId }: InvoiceDeps,
  metadata: CommandMetadata,
): Promise<{ readonly invoiceId: string; readonly generated: Position | null }> {
  if (metadata['commandId'] === undefined) return { invoiceId: newId(), generated: null };
  for (;;) {
    const invoiceId = newId();
    const generated = await findPriorExecution(store, invoiceStream(invoiceId), {
      type: 'generate',
      metadata,
    });
    if (generated !== null || !(await load(store, invoiceKind, invoiceStream(invoiceId))))
      return { invoiceId, generated };
  }
}
