import { canonicalDigest } from '../../../contracts/canonical-json';
import type { CommandMetadata } from '../../../contracts/decider';
import { eventId } from '../../../contracts/events/event-id';
import {
  invoiceLinesEvents,
  invoiceLinesStream,
  type InvoiceContent,
  type InvoiceGenerated,
  type InvoiceLine,
} from '../../../contracts/events/invoice';
import type { JsonObject } from '../../../contracts/json';
import type { EventStore } from '../../../contracts/ports/event-store';

/** Bytes of JSON that the lines of one event take: a quarter of what an EventStoreDB takes in one append. */
export const PART_BYTES = 256 * 1024;

/** The lines in their order, cut so that each part takes at most so many bytes of JSON, or is one line. */
export function inParts(lines: readonly InvoiceLine[], most: number): InvoiceLine[][] {
  const parts: InvoiceLine[][] = [[]];
  let bytes = 0;
  for (const line of lines) {
    const size = Buffer.byteLength(JSON.stringify(line)) + 1;
    if (bytes + size > most && bytes > 0) {
      parts.push([]);
      bytes = 0;
    }
    parts.at(-1)!.push(line);
    bytes += size;
  }
  return parts;
}

/** How the lines of an invoice are told: those of the last part by the event that makes it, others before it. */
type Told = Pick<InvoiceGenerated, 'lines' | 'drafted'>;

/**
 * Writes the parts of the lines that do not fit into the event that makes the invoice, each by an append of its own.
 * The stream is named after what they say, and so are the events: whoever writes the same parts, at once or after a
 * crash, adds nothing, and those of another draft are never met.
 */
export async function draftLines(
  store: Pick<EventStore, 'append'>,
  { invoiceId, billingPeriod, lines }: Pick<InvoiceContent, 'invoiceId' | 'billingPeriod' | 'lines'>,
  most: number,
  metadata: CommandMetadata,
): Promise<Told> {
  const parts = inParts(lines, most);
  const last = parts.pop()!;
  if (parts.length === 0) return { lines: last, drafted: null };
  const digest = canonicalDigest(parts);
  const stream = invoiceLinesStream(invoiceId, digest);
  for (const [part, drafted] of parts.entries()) {
    const data = { invoiceId, billingPeriod, digest, part, lines: drafted };
    const event = invoiceLinesEvents.write(
      { type: 'InvoiceLinesDrafted', data },
      eventId(digest, stream, part),
      metadata as JsonObject,
    );
    await store.append(stream, part === 0 ? 'no_stream' : part - 1, [event]);
  }
  return { lines: last, drafted: { digest, parts: parts.length } };
}

/** All lines of an invoice, from the event that made it and the parts before it. */
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
