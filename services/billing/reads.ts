import type { Calendar } from '../../contracts/calendar';
import type { RequestOf } from '../../contracts/http/billing-actions';
import type { Invoice, InvoiceHead, FeeRow, Revenue } from '../../contracts/http/billing-answers';
import type { Position } from '../../contracts/position';
import { Problem } from '../../contracts/problem';
import { listFees, scanFees, FEE_LEDGER } from '../../projections/billing/fee-ledger';
import { getInvoice, INVOICES, listInvoices } from '../../projections/billing/invoices';
import { revenue } from '../../projections/billing/revenue';
import { REVENUE_BY_MERCHANT, REVENUE_TOTALS } from '../../projections/billing/revenue-buckets';
import { daysOf } from '../../projections/billing/spans';
import type { Views } from '../../projections/views';
import { feeCsv, type FeeCsv } from './csv';
import { caughtUp } from './freshness';
import { headOf, invoiceAnswer } from './invoice/view';

interface ReadDeps {
  readonly views: Views;
  readonly calendar: Calendar;
  /** Milliseconds that a read waits for its projection. */
  readonly patience: number;
}

interface PageOf<Row> {
  readonly rows: Row[];
  readonly total: number;
  readonly page: number;
  readonly pageSize: number;
}

const MOST_CSV_ROWS = 10_000;

/** The reading actions. `position` is what the answer has to include at least; null when the caller does not mind. */
export function createReads({ views, calendar, patience }: ReadDeps) {
  const wait = (position: Position | null, ...collections: string[]) =>
    caughtUp(views, collections, position, patience);

  return {
    async get_revenue(request: RequestOf<'get_revenue'>, position: Position | null): Promise<Revenue> {
      await wait(position, REVENUE_BY_MERCHANT.name);
      return revenue(views, daysOf(request));
    },

    async list_fee_ledger(
      request: RequestOf<'list_fee_ledger'>,
      position: Position | null,
    ): Promise<PageOf<FeeRow>> {
      const { page, pageSize } = request;
      await wait(position, FEE_LEDGER.name);
      const filter = { ...request, days: daysOf(request) };
      const { rows, total } = await listFees(views, calendar, filter, request);
      return { rows: [...rows], total, page, pageSize };
    },

    async export_revenue_csv(
      request: RequestOf<'export_revenue_csv'>,
      position: Position | null,
    ): Promise<FeeCsv> {
      await wait(position, FEE_LEDGER.name);
      return feeCsv(scanFees(views, calendar, { days: daysOf(request) }), MOST_CSV_ROWS);
    },

    async list_invoices(
      request: RequestOf<'list_invoices'>,
      position: Position | null,
    ): Promise<PageOf<InvoiceHead>> {
      const { page, pageSize } = request;
      await wait(position, INVOICES.name);
      const { invoices, total } = await listInvoices(views, request, request);
      return { rows: invoices.map(headOf), total, page, pageSize };
    },

    async get_invoice(
      { invoiceId }: RequestOf<'get_invoice'>,
      position: Position | null,
    ): Promise<{ invoice: Invoice }> {
      await wait(position, INVOICES.name, REVENUE_TOTALS.name);
      const found = await getInvoice(views, invoiceId);
      if (!found) throw new Problem(404, 'invoice_not_found', `There is no invoice ${invoiceId}.`);
      return { invoice: await invoiceAnswer(views, found, patience) };
    },
  };
}
