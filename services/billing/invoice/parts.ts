import { canonicalDigest } from '../../../contracts/json/canonical-json';
import type { CommandMetadata } from '../../../contracts/decider';
import { eventId } from '../../../contracts/events/event-id';
import {
  invoiceLinesEvents,
  invoiceLinesStream,
  type InvoiceContent,
  type InvoiceGenerated,
  type InvoiceLine,
} from '../../../contracts/events/invoice';
import type { JsonObject } from '../../../contracts/json/json';
import type { EventStore } from '../../../contracts/ports/event-store';

/** Maximum bytes of JSON of the lines in one event: a quarter of the limit of an append in EventStoreDB. */
export const PART_BYTES = 256 * 1024;

/** The lines in their order, split so that each part has at most `maxBytes` of JSON, or one line. */
export function splitIntoParts(lines: readonly InvoiceLine[], maxBytes: number): InvoiceLine[][] {
  const parts: InvoiceLine[][] = [[]];
  let bytes = 0;
  for (const line of lines) {
    const size = Buffer.byteLength(JSON.stringify(line)) + 1;
    if (bytes + size > maxBytes && bytes > 0) {
      parts.push([]);
      bytes = 0;
    }
    parts.at(-1)!.push(line);
    bytes += size;
  }
  return parts;
}

/** How the lines of an invoice are stored: the last part in the event of the invoice, the others before it. */
type StoredLines = Pick<InvoiceGenerated, 'lines' | 'drafted'>;

/**
 * Appends the parts of the lines that do not fit into the event of the invoice, one by one. The stream and the event ids
 * derive from the content: appending the same parts again, concurrently or after a crash, adds nothing, and other drafts
 * have other streams.
 */
export async function draftLines(
  store: Pick<EventStore, 'append'>,
  { invoiceId, billingPeriod, lines }: Pick<InvoiceContent, 'invoiceId' | 'billingPeriod' | 'lines'>,
  maxBytes: number,
  metadata: CommandMetadata,
): Promise<StoredLines> {
  const parts = splitIntoParts(lines, maxBytes);
  const last = parts.pop()!;
  if (parts.length === 0) return { lines: last, drafted: null };
  const digest = canonicalDigest(parts);
  const stream = invoiceLinesStream(invoiceId, digest);
  for (const [part, partLines] of parts.entries()) {
    const data = { invoiceId, billingPeriod, digest, part, lines: partLines };
    const event = invoiceLinesEvents.write(
      { type: 'InvoiceLinesDrafted', data },
      eventId(digest, stream, part),
      metadata as JsonObject,
    );
    await store.append(stream, part === 0 ? 'no_stream' : part - 1, [event]);
  }
  return { lines: last, drafted: { digest, parts: parts.length } };
}

/** All lines of an invoice, from its event and the parts before it. */
export async function linesOf(
  store: Pick<EventStore, 'readStream'>,
  { invoiceId, drafted, lines }: Pick<InvoiceGenerated, 'invoiceId' | 'drafted' | 'lines'>,
): Promise<readonly InvoiceLine[]> {
  if (!drafted) return lines;
  const all: InvoiceLine[] = [];
  const parts = store.readStream(invoiceLinesStream(invoiceId, drafted.digest), { limit: drafted.parts });
  for await (const recorded of parts) all.push(...invoiceLinesEvents.read(recorded).data.lines);
  return all.concat(lines);
}
