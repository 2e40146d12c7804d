import type { Position } from '../../../contracts/position';
import type { EventStore } from '../../../contracts/ports/event-store';
import type { Handle } from '../../commands/handle';
import type { PersonalTexts } from '../../personal-texts/personal-text';
import type { DraftDeps } from './draft';

/**
 * An invoice uses three streams: its own, that of its period and that of the year's numbers. An append writes one stream,
 * so each command is a sequence of idempotent appends, in an order that leaves a correct state after any crash:
 *
 * - generate: reserve the period, then append the draft. After a crash in between, a period is held by an invoice that
 *   does not exist; the next `generate` appends the draft under that id. The other order could make two drafts. Lines
 *   that are too many for one event come before the draft, in a stream that is not read until the draft refers to it.
 * - finalize: start (the draft cannot be voided from here on), assign the number, then finalize with it. After a crash
 *   the next `finalize` or `void` continues; the number stream has the number of the invoice. Without the first append a
 *   `void` could come between number and invoice, and leave a number without an invoice.
 * - void: void the invoice, then release the period. After a crash in between, a void invoice holds the period; the next
 *   `generate` or `void` releases it. The other order could leave two live invoices of one period.
 */
export interface InvoiceDeps extends DraftDeps {
  readonly store: EventStore;
  readonly handle: Handle;
  readonly texts: PersonalTexts;
  readonly instanceId: string;
  readonly newId: () => string;
  /** Maximum bytes of lines in one event. Default: `PART_BYTES`. */
  readonly partBytes?: number;
}

/** The invoice of a command, and the position from which reads include it. */
export interface InvoiceResult {
  readonly invoiceId: string;
  readonly position: Position;
}
