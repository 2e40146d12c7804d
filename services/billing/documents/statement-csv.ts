import { stringify } from 'csv-stringify/sync';
import { escapeFormula } from '../csv';
import type { Statement } from './statement';

/** RFC 4180: a line for each field, an empty one, then the table with its header. */
export function statementCsv({ title, fields, columns, rows }: Statement): string {
  const lines = [['Document', title], ...fields, [''], columns.map(({ label }) => label), ...rows].map(
    cells => cells.map(escapeFormula),
  );
  return stringify(lines, { record_delimiter: 'windows' });
}
