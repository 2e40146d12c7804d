import type { ReportRequest, RequestOf } from '../../../contracts/http/billing/actions';
import type { ReportAction } from '../../../contracts/http/billing/access';
import type { Invoice, InvoiceHead, FeeRow, Revenue } from '../../../contracts/http/billing/responses';
import type { Rebate, Settlement } from '../../../contracts/http/billing/settlements';
import { BEGINNING, type Position } from '../../../contracts/position';
import { Problem } from '../../../contracts/problem/problem';
import { listFees, scanFees, FEE_LEDGER } from '../../../projections/billing/fee-ledger';
import { getInvoice, INVOICE_LINES, INVOICES, listInvoices } from '../../../projections/billing/invoices';
import { listRebates, REBATES } from '../../../projections/billing/rebates';
import { getSettlement, listSettlements, SETTLEMENTS } from '../../../projections/billing/settlements';
import { MERCHANTS } from '../../../projections/billing/merchants';
import type { FeeFilter } from '../../../projections/billing/fee-filter';
import type { Paging } from '../../../projections/billing/list-by-period';
import { revenue } from '../../../projections/billing/revenue';
import { REVENUE_BY_MERCHANT, REVENUE_TOTALS } from '../../../projections/billing/revenue-buckets';
import { daysOf } from '../../../projections/billing/intervals';
import type { Views } from '../../../projections/views';
import type { CollectionSpec } from '../../../contracts/ports/documents';
import type { EventStore } from '../../../contracts/ports/event-store';
import type { PersonalTexts } from '../../personal-texts/personal-text';
import { feeCsv, MAX_CSV_ROWS, type FeeCsv } from '../export/csv';
import { cursorAfter, cursorOf } from '../export/export-request';
import { ledgerIdOf } from '../ledger-id';
import { waitUntilFolded } from '../../commands/wait-until-folded';
import { decryptInvoice, decryptInvoicePage } from '../invoice/decrypt';
import { hasChangesSinceSnapshot, headOf, invoiceResponse } from '../invoice/view';
import { settlementNotFound } from '../settlement/decider';
import { decryptSettlementPage, decryptSettlements, encryptedSettlement } from '../settlement/decrypt';

export interface ReportDeps {
  readonly store: Pick<EventStore, 'readAll'>;
  readonly views: Views;
  readonly texts: Pick<PersonalTexts, 'decryptAll'>;
  /** Milliseconds that a read waits for its projection. */
  readonly waitMs: number;
  /** The position that the views are of, when they are of the past. */
  readonly asOfPosition?: Position;
}

interface PageOf<Row> extends Paging {
  readonly rows: Row[];
  readonly total: number;
}

const pageOf = <Row>({ page, pageSize }: Paging, rows: Row[], total: number): PageOf<Row> => ({
  rows,
  total,
  page,
  pageSize,
});

/** What each report is read from. */
const SOURCES: Readonly<Record<ReportAction, readonly CollectionSpec[]>> = {
  get_revenue: [REVENUE_BY_MERCHANT, MERCHANTS],
  list_fee_ledger: [FEE_LEDGER, REVENUE_TOTALS, REVENUE_BY_MERCHANT],
  export_revenue_csv: [FEE_LEDGER],
  list_invoices: [INVOICES],
  get_invoice: [INVOICES, INVOICE_LINES, REVENUE_TOTALS, FEE_LEDGER],
  list_settlements: [SETTLEMENTS],
  get_settlement: [SETTLEMENTS],
  list_rebates: [REBATES],
};

/** Names of the collections that a report is read from. */
export function sourcesOf(action: ReportAction): string[] {
  return SOURCES[action].map(({ name }) => name);
}

/** A position that a report includes at least, if it is read afterwards. */
export function reportPosition(views: Views, action: ReportAction): Promise<Position> {
  return views.foldedUpTo(sourcesOf(action));
}

/** The reports by action. A report includes at least the events up to `position`; null for no minimum. */
export function createReports({ store, views, texts, waitMs, asOfPosition }: ReportDeps) {
  /** An answer computed from the collections, once they include the position. */
  const answer = async <Answer>(
    request: { readonly action: ReportAction },
    position: Position | null,
    compute: () => Promise<Answer>,
    isCacheable?: (answer: Answer) => boolean,
  ): Promise<Answer> => {
    const names = sourcesOf(request.action);
    await waitUntilFolded(views, names, position, waitMs);
    const sources = names.map(collection => ({ collection }));
    return views.cached({ key: ['billing', request], sources }, compute, isCacheable);
  };

  return {
    get_revenue: (request: RequestOf<'get_revenue'>, position: Position | null): Promise<Revenue> =>
      answer(request, position, () => revenue(views, daysOf(request))),

    list_fee_ledger: (
      request: RequestOf<'list_fee_ledger'>,
      position: Position | null,
    ): Promise<PageOf<FeeRow>> =>
      answer(request, position, async () => {
        const filter = { ...request, days: daysOf(request) };
        const { rows, total } = await listFees(views, filter, request);
        return pageOf(request, [...rows], total);
      }),

    export_revenue_csv: (
      request: RequestOf<'export_revenue_csv'>,
      position: Position | null,
    ): Promise<FeeCsv> =>
      answer(request, position, async () => {
        const ledger = (await ledgerIdOf(store)) ?? '';
        const of = { position: asOfPosition ?? position ?? BEGINNING, ledger };
        return feeCsv(scanFees(views, exportFilter(request), cursorOf(request)?.after), {
          maxRows: MAX_CSV_ROWS,
          cursorAfter: row => cursorAfter(request, of, row),
        });
      }),

    list_invoices: async (
      request: RequestOf<'list_invoices'>,
      position: Position | null,
    ): Promise<PageOf<InvoiceHead>> => {
      const encrypted = await answer(request, position, async () => {
        const { documents, total } = await listInvoices(views, request, request);
        return pageOf(request, documents.map(headOf), total);
      });
      return decryptInvoicePage(texts, encrypted);
    },

    get_invoice: async (
      request: RequestOf<'get_invoice'>,
      position: Position | null,
    ): Promise<{ invoice: Invoice }> => {
      const encrypted = await answer(
        request,
        position,
        async () => {
          const found = await getInvoice(views, request.invoiceId);
          if (!found) throw new Problem('invoice_not_found', `There is no invoice ${request.invoiceId}.`);
          return { invoice: await invoiceResponse(views, found, waitMs) };
        },
        ({ invoice }) => hasChangesSinceSnapshot(invoice),
      );
      return decryptInvoice(texts, encrypted);
    },

    list_settlements: async (
      request: RequestOf<'list_settlements'>,
      position: Position | null,
    ): Promise<PageOf<Settlement>> => {
      const encrypted = await answer(request, position, async () => {
        const { documents, total } = await listSettlements(views, request, request);
        return pageOf(request, documents.map(encryptedSettlement), total);
      });
      return decryptSettlementPage(texts, encrypted);
    },

    get_settlement: async (
      request: RequestOf<'get_settlement'>,
      position: Position | null,
    ): Promise<{ settlement: Settlement }> => {
      const encrypted = await answer(request, position, async () => {
        const found = await getSettlement(views, request.settlementId);
        if (!found) throw Problem.of(settlementNotFound(request.settlementId));
        return encryptedSettlement(found);
      });
      const [settlement] = await decryptSettlements(texts, [encrypted]);
      return { settlement: settlement! };
    },

    list_rebates: (request: RequestOf<'list_rebates'>, position: Position | null): Promise<PageOf<Rebate>> =>
      answer(request, position, async () => {
        const { documents, total } = await listRebates(views, request, request);
        const rows = documents.map(({ _id, position: _, ...rebate }) => ({ ...rebate, rebateId: _id }));
        return pageOf(request, rows, total);
      }),
  } satisfies Record<ReportAction, unknown>;
}

type Reports = ReturnType<typeof createReports>;
export type ReportAnswer = Awaited<ReturnType<Reports[ReportAction]>>;

/** Runs the report that the request names. */
export function answerReport(
  reports: Reports,
  request: ReportRequest,
  position: Position | null,
): Promise<ReportAnswer> {
  // The report of an action takes requests of that action, which TypeScript cannot infer through a union.
  const report = reports[request.action] as (
    request: ReportRequest,
    position: Position | null,
  ) => Promise<ReportAnswer>;
  return report(request, position);
}

/** The rows of an export, in all its parts. */
export function exportFilter(request: RequestOf<'export_revenue_csv'>): FeeFilter {
  return { ...request, days: daysOf(request) };
}
