import { adminRequest, isReport, type ReportRequest } from '../../contracts/http/billing-actions';
import type { Calendar } from '../../contracts/calendar';
import type { Json } from '../../contracts/json';
import type { LedgerEvent } from '../../contracts/seal/ledger-line';
import { NEAR } from '../../projections/billing/fee-ledger';
import { pageStart } from '../../projections/billing/fee-count';
import type { FeeFilter } from '../../projections/billing/fee-filter';
import { INVOICE_LINES, INVOICES, isOfInvoice } from '../../projections/billing/invoices';
import { MERCHANTS } from '../../projections/billing/merchants';
import { REBATES } from '../../projections/billing/rebates';
import { REVENUE_BY_MERCHANT, REVENUE_TOTALS } from '../../projections/billing/revenue-buckets';
import { SETTLEMENTS } from '../../projections/billing/settlements';
import { ALWAYS, daysOf, spansOf, within } from '../../projections/billing/spans';
import type { Views } from '../../projections/views';
import { answerReport, createReports, MOST_CSV_ROWS } from '../../services/billing/reports';
import type { PersonalTexts } from '../../services/personal-text';
import type { Wanted } from './folding';
import { Failed } from './verdict';

/** A stretch of instants; rows of the ledger are dated by them. */
export interface Window {
  readonly gte: string;
  readonly lt: string;
}

/** What was asked, as work to be done on the events. */
export interface Question {
  /** Whether the event is in the ledger as it stood at the moment that was asked about; without one, any may be. */
  readonly isAsked: ((event: LedgerEvent) => boolean) | null;
  /** Which documents have to be folded; rows of the ledger come only after the first pass. */
  readonly wants: Wanted;
  /** Between which instants the rows lie that the answer is made of. Null where an answer is made of no rows. */
  readonly window: ((views: Views) => Promise<Window | null>) | null;
  answer(views: Views): Promise<Json>;
}

/** The keys of personal texts are not given to auditors, and the digest of an answer leaves them out. */
const NO_TEXTS: PersonalTexts = {
  seal: () => Promise.reject(new Error('nothing is sealed here')),
  open: async () => null,
  openAll: async texts => texts.map(() => null),
};

/** @throws Failed when it is no question that this program can answer */
export function questionOf(query: Json, calendar: Calendar): Question {
  const parsed = adminRequest.safeParse(query);
  if (!parsed.success) throw new Failed('unusable', 'the query of the proof is none that this program knows');
  const request = parsed.data;
  if (!isReport(request))
    throw new Failed('unusable', `the query of the proof is ${request.action}, which is no report`);
  const { wants, window } = needsOf(request, calendar);
  return {
    isAsked: isAskedBy(request),
    wants,
    window,
    answer: views => answer(request, views, calendar),
  };
}

/** `asOf` is a position or an instant, which are written in one way whose order as text is that of time. */
function isAskedBy({ asOf }: ReportRequest): Question['isAsked'] {
  if (asOf === undefined) return null;
  return typeof asOf === 'number' ? ({ position }) => position <= asOf : ({ created }) => created <= asOf;
}

async function answer(request: ReportRequest, views: Views, calendar: Calendar): Promise<Json> {
  const reports = createReports({ views, calendar, texts: NO_TEXTS, patience: 0 });
  return JSON.parse(JSON.stringify(await answerReport(reports, request, null))) as Json;
}

const all = (): boolean => true;

function needsOf(request: ReportRequest, calendar: Calendar): Pick<Question, 'wants' | 'window'> {
  switch (request.action) {
    case 'get_revenue': {
      // Names of merchants are the latest of all time, whatever the days.
      const spans = [...spansOf(daysOf(request)), { gte: ALWAYS, lte: ALWAYS }].map(({ gte, lte }) => ({
        gte: `${gte}|`,
        // Beyond every id of the last span.
        lt: `${lte}}`,
      }));
      return {
        wants: {
          [MERCHANTS.name]: all,
          [REVENUE_BY_MERCHANT.name]: id => spans.some(({ gte, lt }) => gte <= id && id < lt),
        },
        window: null,
      };
    }
    case 'list_fee_ledger': {
      const filter: FeeFilter = { ...request, days: daysOf(request) };
      const { page, pageSize, merchantSlug } = request;
      return {
        wants:
          merchantSlug === undefined
            ? { [REVENUE_TOTALS.name]: all }
            : { [REVENUE_BY_MERCHANT.name]: id => id.includes(`|${merchantSlug}|`) },
        window: views => windowOf(views, calendar, filter, (page - 1) * pageSize, pageSize),
      };
    }
    case 'export_revenue_csv': {
      const filter: FeeFilter = { days: daysOf(request) };
      return {
        wants: { [REVENUE_TOTALS.name]: id => !id.startsWith(ALWAYS) },
        window: views => windowOf(views, calendar, filter, 0, MOST_CSV_ROWS + 1),
      };
    }
    case 'list_invoices':
      return { wants: { [INVOICES.name]: all }, window: null };
    case 'get_invoice':
      return {
        wants: {
          [INVOICES.name]: id => id === request.invoiceId,
          [INVOICE_LINES.name]: id => isOfInvoice(id, request.invoiceId),
          [REVENUE_TOTALS.name]: id => id.startsWith('m'),
        },
        window: null,
      };
    case 'list_settlements':
      return { wants: { [SETTLEMENTS.name]: all }, window: null };
    case 'list_rebates':
      return { wants: { [REBATES.name]: all }, window: null };
  }
}

/** Newest first: from the day on which the last row wanted lies, to the one of the first. */
async function windowOf(
  views: Views,
  calendar: Calendar,
  filter: FeeFilter,
  skip: number,
  count: number,
): Promise<Window | null> {
  const first = await pageStart(views, filter, skip);
  if (!first) return null;
  const last = await pageStart(views, filter, skip + count - 1);
  const whole = within(filter.days);
  const { from: gte, before: lt } = calendar.instants(
    last?.day ?? whole.from,
    // As the query does it: rows of a page near by are counted from the newest on.
    skip > NEAR ? first.day : whole.to,
  );
  return { gte, lt };
}
