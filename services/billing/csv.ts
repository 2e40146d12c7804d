import { stringify } from 'csv-stringify/sync';
import type { FeeRow } from '../../contracts/http/billing-responses';
import { AMOUNT } from '../../contracts/money';

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
}

interface CsvPart {
  readonly text: string;
  /** Rows in this part and all before it. */
  readonly rowCount: number;
  readonly truncated: boolean;
}

/** RFC 4180 with a header. Reads at most one row more than `maxRows`. */
async function* csvParts(pages: AsyncIterable<readonly FeeRow[]>, maxRows: number): AsyncIterable<CsvPart> {
  let rowCount = 0;
  yield { text: CSV_HEADER, rowCount, truncated: false };
  for await (const page of pages) {
    const rows = page.slice(0, maxRows - rowCount);
    rowCount += rows.length;
    const truncated = rows.length < page.length;
    yield { text: rows.length > 0 ? csvRows(rows) : '', rowCount, truncated };
    if (truncated) return;
  }
}

/** The whole CSV as one text. */
export async function feeCsv(pages: AsyncIterable<readonly FeeRow[]>, maxRows: number): Promise<FeeCsv> {
  let csv = '';
  let last: CsvPart | undefined;
  for await (const part of csvParts(pages, maxRows)) csv += (last = part).text;
  const { rowCount, truncated } = last!;
  return { csv, rowCount, truncated };
}

/** The JSON text of a `FeeCsv` in parts, written as the pages are read; the first part has rows, if there are any. */
export async function* feeCsvJson(
  pages: AsyncIterable<readonly FeeRow[]>,
  maxRows: number,
): AsyncIterable<string> {
  let text = '{"csv":"';
  let last: CsvPart | undefined;
  for await (const part of csvParts(pages, maxRows)) {
    text += JSON.stringify((last = part).text).slice(1, -1);
    if (part.rowCount === 0) continue;
    yield text;
    text = '';
  }
  const { rowCount, truncated } = last!;
  yield `${text}","rowCount":${rowCount},"truncated":${truncated}}`;
}

const cells = (row: FeeRow): string[] => COLUMNS.map(column => escapeFormula(row[column]));

/** What spreadsheets treat as the start of a formula, also in full-width form and after blanks. */
const FORMULA_START = /^(?:\s*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]|[\t\r])/;

/** Text that a spreadsheet would evaluate is prefixed with an apostrophe; amounts stay numbers, also negative ones. */
const escapeFormula = (cell: string): string =>
  FORMULA_START.test(cell) && !AMOUNT.test(cell) ? `'${cell}` : cell;
