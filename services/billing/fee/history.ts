import { feeEvents, feeOfRow, feeStream, type FeeEvent } from '../../../contracts/events/fee';
import type { FeeChange } from '../../../contracts/http/billing/history';
import type { FeeRow } from '../../../contracts/http/billing/responses';
import type { Json } from '../../../contracts/json/json';
import { Problem } from '../../../contracts/problem/problem';
import { rowAfter } from '../../../projections/billing/fee-ledger';
import { createInvoiceLookup, type InvoiceLookupDeps } from './invoiced-by';

export interface FeeHistory {
  readonly feeId: string;
  readonly rows: FeeRow[];
  readonly invoiceId: string | null;
  readonly history: FeeChange[];
}

/**
 * Every event of a fee, oldest first, and the rows that they yield.
 * @param rowId of the fee, or of the adjustment that reverses it
 * @throws Problem 404 `fee_not_found`
 */
export async function getFeeHistory(deps: InvoiceLookupDeps, rowId: string): Promise<FeeHistory> {
  const feeId = feeOfRow(rowId);
  const rows = new Map<string, FeeRow>();
  const history: FeeChange[] = [];
  for await (const recorded of deps.store.readStream(feeStream(feeId))) {
    const event = feeEvents.read(recorded);
    const row = rowAfter(event);
    rows.set(row.id, row);
    history.push({
      event: EVENTS[event.type],
      at: recorded.created,
      by: textOf(recorded.metadata['actor']),
      position: recorded.position,
      requestId: textOf(recorded.metadata['requestId']),
      collection_status: rows.get(feeId)!.collection_status,
      adjustmentId: event.type === 'FeeReversed' ? (event.data.adjustment?.id ?? null) : null,
    });
  }
  if (history.length === 0 || !rows.has(rowId))
    throw new Problem('fee_not_found', `There is no fee ${rowId}.`);
  return { feeId, rows: [...rows.values()], invoiceId: await createInvoiceLookup(deps)(feeId), history };
}

const EVENTS = {
  FeeRecorded: 'recorded',
  FeeCollected: 'collected',
  FeeWaived: 'waived',
  FeeReversed: 'reversed',
} as const satisfies Record<FeeEvent['type'], FeeChange['event']>;

const textOf = (value: Json | undefined): string | null => (typeof value === 'string' ? value : null);
