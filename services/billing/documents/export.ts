import { stringify } from 'csv-stringify/sync';
import type { RequestOf } from '../../../contracts/http/billing/actions';
import { Problem } from '../../../contracts/problem/problem';
import { Attachment } from '../../http/call';
import { escapeFormulaOrSum } from '../export/csv';
import { createReports, type ReportDeps } from '../report/reports';
import { invoiceStatement, settlementStatement, type Statement } from './statement';

interface ExportDeps extends ReportDeps {
  readonly instanceId: string;
}

type ExportDocument = RequestOf<'export_invoice' | 'export_settlement'>;

/** Lines of a PDF: it is laid out in one go. */
const MAX_PDF_ROWS = 1_000;

/**
 * An invoice or a settlement as a file.
 * @throws Problem 404, 400 when it has too many lines for a PDF
 */
export async function exportDocument(deps: ExportDeps, request: ExportDocument): Promise<Attachment> {
  const statement = await statementOf(deps, request);
  if (request.format === 'csv')
    return new Attachment(statementCsv(statement), 'text/csv; charset=utf-8', `${statement.fileName}.csv`);
  if (statement.rows.length > MAX_PDF_ROWS)
    throw Problem.invalid('/body/format', `a PDF has at most ${MAX_PDF_ROWS} lines; ask for csv`, 'too_long');
  // Fonts and layout are loaded at the first PDF: no start and no command waits for them.
  const { statementPdf } = await import('../documents/statement-pdf.js');
  return new Attachment(await statementPdf(statement), 'application/pdf', `${statement.fileName}.pdf`);
}

async function statementOf(deps: ExportDeps, request: ExportDocument): Promise<Statement> {
  const reports = createReports(deps);
  if (request.action === 'export_invoice') {
    const { invoice } = await reports.get_invoice(
      { action: 'get_invoice', invoiceId: request.invoiceId },
      null,
    );
    return invoiceStatement(deps.instanceId, invoice);
  }
  const { settlementId } = request;
  const { settlement } = await reports.get_settlement({ action: 'get_settlement', settlementId }, null);
  return settlementStatement(deps.instanceId, settlement);
}

/** RFC 4180: a line for each field, an empty one, then the table with its header. */
function statementCsv({ title, fields, details, columns, rows }: Statement): string {
  const header = columns.map(({ label }) => label);
  const lines = [['Document', title], ...fields, ...details, [''], header, ...rows];
  return stringify(
    lines.map(cells => cells.map(escapeFormulaOrSum)),
    { record_delimiter: 'windows' },
  );
}
