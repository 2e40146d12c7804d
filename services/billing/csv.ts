import { stringify } from 'csv-stringify/sync';
import type { FeeRow } from '../../contracts/http/billing-answers';
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

const HEADER = `${COLUMNS.join(',')}\r\n`;

export interface FeeCsv {
  readonly csv: string;
  readonly rowCount: number;
  readonly truncated: boolean;
}

/** RFC 4180 with a header. Reads no further than one row beyond the most it may hold. */
export async function feeCsv(pages: AsyncIterable<readonly FeeRow[]>, most: number): Promise<FeeCsv> {
  const parts = [HEADER];
  let rowCount = 0;
  for await (const page of pages) {
    const rows = page.slice(0, most - rowCount);
    if (rows.length > 0) parts.push(stringify(rows.map(cells), { record_delimiter: 'windows' }));
    rowCount += rows.length;
    if (rows.length < page.length) return { csv: parts.join(''), rowCount, truncated: true };
  }
  return { csv: parts.join(''), rowCount, truncated: false };
}

const cells = (row: FeeRow): string[] => COLUMNS.map(column => harmless(row[column]));

/** What spreadsheets take for the start of a formula, also in full-width form and after blanks. */
const FORMULA = /^(?:\s*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]|[\t\r])/;

/** Text that a spreadsheet would run is led by an apostrophe; amounts stay numbers, also negative ones. */
const harmless = (cell: string): string => (FORMULA.test(cell) && !AMOUNT.test(cell) ? `'${cell}` : cell);
