import { canonicalJson } from '../../../contracts/json/canonical-json';
import type { Json } from '../../../contracts/json/json';
import type { Position } from '../../../contracts/position';
import type { Document } from '../../../contracts/ports/documents';
import { scanFees } from '../../../projections/billing/fee-ledger';
import { INVOICES, type InvoiceDocument } from '../../../projections/billing/invoices';
import { revenue } from '../../../projections/billing/revenue';
import { SETTLEMENTS, type SettlementDocument } from '../../../projections/billing/settlements';
import type { Views } from '../../../projections/views';
import { CSV_HEADER, csvRows } from './csv';
import { headOf } from '../invoice/view';
import { encryptedSettlement } from '../settlement/decrypt';

interface Replay {
  readonly views: Views;
  /** The position that the views are as of. */
  readonly position: Position;
}

/** Some of the text, and the rows of the ledger in it. */
interface ReplayPart {
  readonly text: string;
  readonly rows: number;
}

const EVERYTHING = { days: { from: null, to: null } };
const PAGE = 1_000;

/** How many rows of the ledger there are. */
export async function rowsOf({ views }: Replay): Promise<number> {
  const { summary } = await revenue(views, EVERYTHING.days);
  return summary.reduce((rows, { count }) => rows + count, 0);
}

/** Every row of the ledger as CSV, in the format of the API's export but without its limit; read as it is consumed. */
export async function* replayCsv({ views }: Replay): AsyncIterable<ReplayPart> {
  yield { text: CSV_HEADER, rows: 0 };
  for await (const page of scanFees(views, EVERYTHING)) yield { text: csvRows(page), rows: page.length };
}

/**
 * The whole ledger as one JSON object in canonical form (RFC 8785) and a line feed: `invoices` and `settlements` in the
 * order of their ids, `position`, `revenue` as `get_revenue` answers it, and the `rows` of the fee ledger, newest first.
 * Personal text stays encrypted, so that the result is the same before and after an erasure. Read as it is consumed.
 */
export async function* replayJson(replay: Replay): AsyncIterable<ReplayPart> {
  const { views, position } = replay;
  const sums = await revenue(views, EVERYTHING.days);
  yield* member('{"invoices":', list(views, INVOICES.name, invoiceHead));
  yield plain(`,"position":${position},"revenue":${canonicalJson(sums)}`);
  yield* member(',"rows":', scanFees(views, EVERYTHING), page => page.length);
  yield* member(',"settlements":', list(views, SETTLEMENTS.name, settlementHead));
  yield plain('}\n');
}

const plain = (text: string): ReplayPart => ({ text, rows: 0 });

/** An array of all that the pages hold. */
async function* member<Item extends Json>(
  name: string,
  pages: AsyncIterable<readonly Item[]>,
  rowsIn: (page: readonly Item[]) => number = () => 0,
): AsyncIterable<ReplayPart> {
  let before = `${name}[`;
  for await (const page of pages) {
    yield { text: before + page.map(canonicalJson).join(), rows: rowsIn(page) };
    before = ',';
  }
  yield plain(before === ',' ? ']' : `${before}]`);
}

async function* list<D extends Document>(
  views: Views,
  collection: string,
  show: (document: D) => Json,
): AsyncIterable<readonly Json[]> {
  for await (const page of views.scan<D>(collection, { limit: PAGE })) yield page.map(show);
}

/** Whether a text was erased is unknown without its key. */
function invoiceHead(document: InvoiceDocument): Json {
  const { voidReasonErased: _, ...head } = headOf(document);
  return head;
}

function settlementHead(document: SettlementDocument): Json {
  const { referenceErased: _, voidReasonErased: __, ...settlement } = encryptedSettlement(document);
  return settlement;
}
