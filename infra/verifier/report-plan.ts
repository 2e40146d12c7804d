import {
  adminRequest,
  isReport,
  otherMerchantField,
  type AdminRequest,
  type ReportRequest,
} from '../../contracts/http/billing/actions';
import { base64urlOf } from '../../contracts/encoding/base64';
import { dayAfter, dayBefore, type Day } from '../../contracts/time/billing-period';
import { canonicalJson } from '../../contracts/json/canonical-json';
import type { Json } from '../../contracts/json/json';
import { readJson } from '../../contracts/json/read-json';
import type { LedgerEvent } from '../../contracts/ledger-tree/ledger-line';
import type { ReportProof } from '../../contracts/ledger-tree/report-proof';
import type { Position } from '../../contracts/position';
import type { EncryptedText } from '../../contracts/text/personal-text';
import { BILLING_VERSIONS } from '../../projections/billing/billing-projections';
import type { RowKey } from '../../projections/billing/fee-ledger';
import { countFees, MAX_SKIP, pageStart } from '../../projections/billing/fee-count';
import type { FeeFilter } from '../../projections/billing/fee-filter';
import {
  INVOICE_LINES,
  INVOICES,
  isOfInvoice,
  type InvoiceDocument,
} from '../../projections/billing/invoices';
import { MERCHANTS } from '../../projections/billing/merchants';
import { REBATES } from '../../projections/billing/rebates';
import { collectedAndReversed } from '../../projections/billing/revenue';
import { REVENUE_BY_MERCHANT, REVENUE_TOTALS } from '../../projections/billing/revenue-buckets';
import { SETTLEMENTS } from '../../projections/billing/settlements';
import { ALL_TIME, daysOf, intervalsOf, bounded } from '../../projections/billing/intervals';
import type { Views } from '../../projections/views';
import { MAX_CSV_ROWS } from '../../services/billing/export/csv';
import { cursorOf } from '../../services/billing/export/export-request';
import { ledgerIdOf } from '../../services/billing/ledger-id';
import { answerReport, createReports, exportFilter } from '../../services/billing/report/reports';
import type { PersonalTexts } from '../../services/personal-texts/personal-text';
import { countedTwice, isCountedTwice } from './counted-twice';
import type { DocumentFilter } from './in-memory-projections';
import { VerificationFailed } from './outcome';

/** Rows of these days, both included, or those that were reversed in place. */
type RowSelection =
  | { readonly days: (views: Views) => Promise<BoundedDays | null> }
  | { readonly reversed: (views: Views) => Promise<boolean> };

/** How to compute the answer of a query from the events. */
export interface ReportPlan {
  /** Whether an event was recorded by `asOf`; null when the query has none. */
  readonly includesEvent: ((event: LedgerEvent) => boolean) | null;
  /** The documents to fold, without the rows of the fee ledger. */
  readonly documents: DocumentFilter;
  /** Computes which rows of the fee ledger the answer needs. Null when it needs none. */
  readonly rows: RowSelection | null;
  /**
   * With the commitment to each personal text in its place, or `NO_COMMITMENT`, or `UNKNOWN_FORM`.
   * @param first event of the ledger; null when there is none
   */
  compute(views: Views, first: LedgerEvent | null): Promise<Json>;
}

/** In place of a text to which nothing commits. */
export const NO_COMMITMENT = 'v1';
/** In place of a text that is not in a form of PROOFS.md. */
export const UNKNOWN_FORM = '';

const COMMITMENT = base64urlOf(32);

/** By PROOFS.md, section 5. */
function committedIn({ ciphertext }: EncryptedText): string {
  const [version, ...parts] = ciphertext.split('.');
  if (version === 'v1' && parts.length === 2) return NO_COMMITMENT;
  const commitment = version === 'v2' && parts.length === 3 ? COMMITMENT.safeParse(parts[2]).data : undefined;
  return commitment ?? UNKNOWN_FORM;
}

/** Verifiers have no keys of personal text: an answer has the commitments in place of the texts. */
const COMMITMENTS: Pick<PersonalTexts, 'decryptAll'> = {
  decryptAll: async texts => texts.map(committedIn),
};

/**
 * @param position that the answer is of
 * @param projections versions that the proof names; default: those of this program
 * @throws VerificationFailed when the query is not a report that this program knows
 */
export function planReport(
  query: Json,
  position: Position,
  projections: ReportProof['projections'] = BILLING_VERSIONS,
): ReportPlan {
  const parsed = adminRequest.safeParse(query);
  if (!parsed.success)
    throw new VerificationFailed('unusable', 'the query of the proof is unknown to this program');
  // It was signed with its defaults: none is filled in, and nothing in it is written in another way.
  const { proof: _, ...asSigned } = parsed.data as AdminRequest & { proof?: boolean };
  if (canonicalJson(asSigned as Json) !== canonicalJson(query))
    throw new VerificationFailed('unusable', 'the query of the proof is not a validated one');
  const request = parsed.data;
  if (!isReport(request))
    throw new VerificationFailed(
      'unusable',
      `the query of the proof is ${request.action}, which is not a report`,
    );
  const unused = otherMerchantField(request);
  if (unused)
    throw new VerificationFailed(
      'unusable',
      `the query of the proof has ${unused.other}, by which no rows are found`,
    );
  try {
    if (request.action === 'export_revenue_csv') cursorOf(request);
  } catch {
    throw new VerificationFailed('unusable', 'the cursor of the query is not one of the query');
  }
  return {
    ...needsOf(request),
    includesEvent: recordedBy(request),
    compute: async (views, first) => {
      const computed = await answer(request, views, position, first);
      return request.action === 'get_invoice' && isCountedTwice(projections)
        ? countedTwice(computed, views, request.invoiceId)
        : computed;
    },
  };
}

/** `asOf` is a position or an instant; instants sort as text. An export continues as of the position of its first part. */
function recordedBy(request: ReportRequest): ReportPlan['includesEvent'] {
  const cursor = request.action === 'export_revenue_csv' ? cursorOf(request) : null;
  const asOf = cursor ? cursor.position : request.asOf;
  if (asOf === undefined) return null;
  return typeof asOf === 'number'
    ? ({ position }) => position <= asOf
    : ({ created }) => typeof created === 'string' && created <= asOf;
}

async function answer(
  request: ReportRequest,
  views: Views,
  position: Position,
  first: LedgerEvent | null,
): Promise<Json> {
  const store = {
    async *readAll() {
      if (first) yield [first];
    },
  };
  const cursor = request.action === 'export_revenue_csv' ? cursorOf(request) : null;
  if (cursor && cursor.ledger !== (await ledgerIdOf(store)))
    throw new Error('the cursor of the query is one of another ledger');
  const reports = createReports({
    store,
    views,
    texts: COMMITMENTS,
    waitMs: 0,
    asOfPosition: position,
  });
  return readJson(JSON.stringify(await answerReport(reports, request, null))) as Json;
}

const all = (): boolean => true;

function needsOf(request: ReportRequest): Pick<ReportPlan, 'documents' | 'rows'> {
  switch (request.action) {
    case 'get_revenue': {
      // Names of merchants are the latest of all time, whatever the days.
      const intervals = [...intervalsOf(daysOf(request)), { gte: ALL_TIME, lte: ALL_TIME }].map(
        ({ gte, lte }) => ({
          gte: `${gte}|`,
          // After every id of the last interval.
          lt: `${lte}}`,
        }),
      );
      return {
        documents: {
          [MERCHANTS.name]: all,
          [REVENUE_BY_MERCHANT.name]: id => intervals.some(({ gte, lt }) => gte <= id && id < lt),
        },
        rows: null,
      };
    }
    case 'list_fee_ledger': {
      const filter: FeeFilter = { ...request, days: daysOf(request) };
      const { page, pageSize, merchantSlug } = request;
      return {
        documents:
          merchantSlug === undefined
            ? { [REVENUE_TOTALS.name]: all }
            : { [REVENUE_BY_MERCHANT.name]: id => id.includes(`|${merchantSlug}|`) },
        rows: { days: views => rowRangeOf(views, filter, (page - 1) * pageSize, pageSize) },
      };
    }
    case 'export_revenue_csv': {
      const filter = exportFilter(request);
      const { merchantSlug } = request;
      return {
        documents:
          merchantSlug === undefined
            ? { [REVENUE_TOTALS.name]: id => !id.startsWith(ALL_TIME) }
            : { [REVENUE_BY_MERCHANT.name]: id => id.includes(`|${merchantSlug}|`) },
        rows: { days: views => exportRangeOf(views, filter, cursorOf(request)?.after ?? null) },
      };
    }
    case 'list_invoices':
      return { documents: { [INVOICES.name]: all }, rows: null };
    case 'get_invoice':
      return {
        documents: {
          [INVOICES.name]: id => id === request.invoiceId,
          [INVOICE_LINES.name]: id => isOfInvoice(id, request.invoiceId),
          [REVENUE_TOTALS.name]: id => id.startsWith('m'),
        },
        rows: { reversed: views => hasReversals(views, request.invoiceId) },
      };
    case 'list_settlements':
      return { documents: { [SETTLEMENTS.name]: all }, rows: null };
    case 'get_settlement':
      return { documents: { [SETTLEMENTS.name]: id => id === request.settlementId }, rows: null };
    case 'list_rebates':
      return { documents: { [REBATES.name]: all }, rows: null };
  }
}

/** Whether any fee of the month of an invoice was reversed in place, before its draft or since. */
async function hasReversals(views: Views, invoiceId: string): Promise<boolean> {
  const invoice = await views.get<InvoiceDocument>(INVOICES.name, invoiceId);
  if (!invoice) return false;
  return (await collectedAndReversed(views, invoice.billingPeriod)).reversed.count > 0;
}

export interface BoundedDays {
  readonly from: Day;
  readonly to: Day;
}

/**
 * The rows of a part of an export are not later than the row that it continues after, whose day is that of its instant in
 * UTC, the one before or the next one.
 */
async function exportRangeOf(
  views: Views,
  filter: FeeFilter,
  after: RowKey | null,
): Promise<BoundedDays | null> {
  if (!after) return rowRangeOf(views, filter, 0, MAX_CSV_ROWS + 1);
  const day = after.created_at.slice(0, 10);
  const near = { from: dayBefore(day), to: dayAfter(day) };
  const { from, to } = filter.days;
  const left = { ...filter, days: { from, to: to !== null && to < near.to ? to : near.to } };
  const before = await countFees(views, { ...filter, days: near });
  return rowRangeOf(views, left, 0, before + MAX_CSV_ROWS + 1);
}

/** Days whose rows may be among those of a day in the order of their creation, and those that a list looks at for that. */
const OVERLAPPING_DAYS = 3;

/** Rows are listed newest first: from the day of the last row of the page to the day of the first. */
async function rowRangeOf(
  views: Views,
  filter: FeeFilter,
  skip: number,
  count: number,
): Promise<BoundedDays | null> {
  const first = await pageStart(views, filter, skip);
  if (!first) return null;
  const last = await pageStart(views, filter, skip + count - 1);
  const whole = bounded(filter.days);
  let from = last?.day ?? whole.from;
  // Like the query, which reads an early page from the newest row on.
  let to = skip > MAX_SKIP ? first.day : whole.to;
  for (let n = 0; n < OVERLAPPING_DAYS; n++) [from, to] = [dayBefore(from), dayAfter(to)];
  return { from, to };
}
