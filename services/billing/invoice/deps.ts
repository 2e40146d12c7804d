import type { Position } from '../../../contracts/position';
import type { EventStore } from '../../../contracts/ports/event-store';
import type { Handle } from '../../handle';
import type { PersonalTexts } from '../../personal-text';
import type { DraftDeps } from './draft';

/**
 * An invoice lives in three streams: its own, the one of its period and the one of the year's numbers. No append spans
 * two of them, so each command is a row of appends in an order that leaves no wrong state wherever it breaks off, and
 * each append is one that changes nothing when it is made again:
 *
 * - generate: reserve the period, then write the draft. Broken off between them, a period is held by an invoice that
 *   does not exist; the next `generate` writes the draft under that id. The other order could make two drafts. Lines that
 *   are too many for one event come before the draft, in a stream that nobody looks into until the draft names it.
 * - finalize: begin (nobody can void the draft from here on), take the number, then finalize with it. Broken off
 *   anywhere, the next `finalize` or `void` goes on; the number stream knows the number the invoice has. Without the
 *   first append a `void` could come between number and invoice, and leave a number that no invoice bears.
 * - void: void the invoice, then release the period. Broken off between them, a void invoice holds the period; the next
 *   `generate` or `void` releases it. The other order could leave two live invoices of one period.
 */
export interface InvoiceDeps extends DraftDeps {
  readonly store: EventStore;
  readonly handle: Handle;
  readonly texts: PersonalTexts;
  readonly instanceId: string;
  readonly newId: () => string;
  /** Bytes of lines that go into one event. Default: `PART_BYTES`. */
  readonly partBytes?: number;
}

/** What a command answers: the invoice it was about and the position to read it from. */
export interface Done {
  readonly invoiceId: string;
  readonly position: Position;
}
