import type { RequestOf } from '../../../contracts/http/billing/actions';
import type { EventStore } from '../../../contracts/ports/event-store';
import { formatPosition, type Position } from '../../../contracts/position';
import { FEE_LEDGER } from '../../../projections/billing/fee-ledger';
import type { Views } from '../../../projections/views';
import { Reply } from '../../http/call';
import { JsonStream } from '../../http/json-stream';
import { feeCsvJson, MAX_CSV_ROWS, type FeeCsv } from './csv';
import { cursorAfter, cursorOf } from './export-request';
import type { OpenExport } from './open-exports';
import { ledgerIdOf } from '../ledger-id';
import { exportFilter } from '../report/reports';
import { rowsAsOf } from '../report/rows-as-of';
import { waitUntilFolded } from '../../commands/wait-until-folded';

interface StreamDeps {
  readonly store: Pick<EventStore, 'readAll'>;
  readonly views: Views;
  readonly waitMs: number;
}

/**
 * The CSV of the current ledger, or the part of an export that follows the cursor, as of the position of its first part.
 * Streamed as it is read, and not cached. Null when too much was recorded since that position.
 * @param position that it includes at least; null for no minimum
 * @param open gives its place up once all is sent, or where nothing is
 */
export async function streamCsv(
  deps: StreamDeps,
  request: RequestOf<'export_revenue_csv'>,
  position: Position | null,
  open: OpenExport,
): Promise<Reply<JsonStream<FeeCsv>> | null> {
  let streamed = null;
  try {
    const begun = await beginCsv(deps, request, position);
    if (!begun) return null;
    streamed = await JsonStream.start<FeeCsv>(open.within(begun.json));
    return new Reply(streamed, { 'X-Ledger-Position': formatPosition(begun.of) });
  } finally {
    if (!streamed) open.end();
  }
}

async function beginCsv(
  { store, views, waitMs }: StreamDeps,
  request: RequestOf<'export_revenue_csv'>,
  position: Position | null,
): Promise<{ readonly json: AsyncIterable<string>; readonly of: Position } | null> {
  const cursor = cursorOf(request);
  await views.expectReadable([FEE_LEDGER.name]);
  await waitUntilFolded(views, [FEE_LEDGER.name], cursor?.position ?? position, waitMs);
  const of = cursor?.position ?? (await views.foldedUpTo([FEE_LEDGER.name]));
  const ledger = (await ledgerIdOf(store)) ?? '';
  const query = { filter: exportFilter(request), position: of, after: cursor?.after ?? null };
  const pages = await rowsAsOf({ store, views }, query);
  if (!pages) return null;
  const json = feeCsvJson(pages, {
    maxRows: MAX_CSV_ROWS,
    cursorAfter: row => cursorAfter(request, { position: of, ledger }, row),
  });
  return { json, of };
}
