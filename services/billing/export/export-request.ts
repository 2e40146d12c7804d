import { canonicalDigest } from '../../../contracts/json/canonical-json';
import type { RequestOf } from '../../../contracts/http/billing/actions';
import {
  formatExportCursor,
  parseExportCursor,
  type ExportCursor,
} from '../../../contracts/http/billing/export-cursor';
import type { JsonObject } from '../../../contracts/json/json';
import type { Position } from '../../../contracts/position';
import { Problem } from '../../../contracts/problem/problem';
import type { RowKey } from '../../../projections/billing/fee-ledger';

type ExportRequest = RequestOf<'export_revenue_csv'>;

/** The cursor of an export that continues another; null of a first part. @throws Problem 400 for one of another export */
export function cursorOf(request: ExportRequest): ExportCursor | null {
  const cursor = request.cursor === undefined ? null : parseExportCursor(request.cursor);
  if (cursor && cursor.query !== queryOf(request))
    throw Problem.invalid('/body/cursor', 'the cursor of an export with other fields', 'other_export');
  return cursor;
}

/** The cursor of what follows a row in the export. @param of what the export is of */
export function cursorAfter(
  request: ExportRequest,
  { position, ledger }: { readonly position: Position; readonly ledger: string },
  { created_at, id }: RowKey,
): string {
  return formatExportCursor({ position, after: { created_at, id }, query: queryOf(request), ledger });
}

/** Identifies what is exported. */
function queryOf(request: ExportRequest): string {
  const { action: _, cursor: __, proof: ___, ...query } = request;
  return canonicalDigest(query as JsonObject).slice(0, 16);
}
