import { stringify } from 'csv-stringify/sync';
import type { FeeRow } from '../../../contracts/http/billing/responses';
import { AMOUNT } from '../../../contracts/money/money';

/** Maximum number of rows of a part of an export. */
export const MAX_CSV_ROWS = 10_000;

const COLUMNS = [
  'id',
  'fee_type',
  'collection_status',
  'fee_amount',
  'gross_amount',
  'billing_period',
  'created_at',
  'merchant_slug',
  'merchant_name',
] as const;

export const CSV_HEADER = `${COLUMNS.join(',')}\r\n`;

/** One line a row, without the header. */
export function csvRows(rows: readonly FeeRow[]): string {
  return stringify(rows.map(cells), { record_delimiter: 'windows' });
}

export interface FeeCsv {
  readonly csv: string;
  readonly rowCount: number;
  readonly truncated: boolean;
  /** Where it continues when it is truncated. */
  readonly cursor?: string;
}

interface CsvLimit {
  /** Maximum number of rows. */
  readonly maxRows: number;
  /** The cursor of what follows a row. */
  cursorAfter(row: FeeRow): string;
}

interface CsvPart extends Omit<FeeCsv, 'csv'> {
  readonly text: string;
  /** Rows in this part and all before it. */
  readonly rowCount: number;
}

/** RFC 4180 with a header. Reads at most one row more than `maxRows`. */
async function* csvParts(
  pages: AsyncIterable<readonly FeeRow[]>,
  { maxRows, cursorAfter }: CsvLimit,
): AsyncIterable<CsvPart> {
  let rowCount = 0;
  let last: FeeRow | undefined;
  yield { text: CSV_HEADER, rowCount, truncated: false };
  for await (const page of pages) {
    const rows = page.slice(0, maxRows - rowCount);
    rowCount += rows.length;
    last = rows.at(-1) ?? last;
    const truncated = rows.length < page.length;
    const cursor = truncated && last ? { cursor: cursorAfter(last) } : {};
    yield { text: rows.length > 0 ? csvRows(rows) : '', rowCount, truncated, ...cursor };
    if (truncated) return;
  }
}

/** The whole CSV as one text. */
export async function feeCsv(pages: AsyncIterable<readonly FeeRow[]>, limit: CsvLimit): Promise<FeeCsv> {
  let csv = '';
  let last: CsvPart | undefined;
  for await (const part of csvParts(pages, limit)) csv += (last = part).text;
  const { text: _, ...end } = last!;
  return { csv, ...end };
}

/** The JSON text of a `FeeCsv` in parts, written as the pages are read; the first part has rows, if there are any. */
export async function* feeCsvJson(
  pages: AsyncIterable<readonly FeeRow[]>,
  limit: CsvLimit,
): AsyncIterable<string> {
  let text = '{"csv":"';
  let last: CsvPart | undefined;
  for await (const part of csvParts(pages, limit)) {
    text += JSON.stringify((last = part).text).slice(1, -1);
    if (part.rowCount === 0) continue;
    yield text;
    text = '';
  }
  const { text: _, ...end } = last!;
  yield `${text}",${JSON.stringify(end).slice(1)}`;
}

const cells = (row: FeeRow): string[] => COLUMNS.map(column => escapeFormula(row[column]));

/** What spreadsheets treat as the start of a formula, also in full-width form and after blanks. */
const FORMULA_START = /^(?:\s*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]|[\t\r])/;

/** A sum has more digits than an amount may have. */
const SUM = /^-?\d+(?:\.\d+)?$/;

/** As `escapeFormula`, for a document that has sums. */
export function escapeFormulaOrSum(cell: string): string {
  return SUM.test(cell) ? cell : escapeFormula(cell);
}

/** Text that a spreadsheet would evaluate is prefixed with an apostrophe; amounts stay numbers, also negative ones. */
export function escapeFormula(cell: string): string {
  return FORMULA_START.test(cell) && !AMOUNT.test(cell) ? `'${cell}` : cell;
}
