import type { ReportRequest } from '../../../contracts/http/billing/actions';
import { BEGINNING, formatPosition, type Position } from '../../../contracts/position';
import { Problem } from '../../../contracts/problem/problem';
import type { AsOf } from '../../../projections/as-of/port';
import { FEE_LEDGER } from '../../../projections/billing/fee-ledger';
import type { Views } from '../../../projections/views';
import type { PersonalTexts } from '../../personal-texts/personal-text';
import { Reply } from '../../http/call';
import type { JsonStream } from '../../http/json-stream';
import { readAsOf } from './as-of';
import type { BillingDeps } from '../deps';
import { proveReport } from './prove-report';
import { answerReport, createReports, reportPosition, type ReportAnswer } from './reports';
import { cursorOf } from '../export/export-request';
import { ledgerIdOf } from '../ledger-id';
import type { OpenExport } from '../export/open-exports';
import { streamCsv } from '../export/stream-csv';

/** Personal texts, and the openings of those that were decrypted: a proof has them. */
function notingOpenings(texts: PersonalTexts) {
  const openings: Record<string, string> = {};
  const decryptAll: PersonalTexts['decryptAll'] = async encrypted => {
    const opened = await texts.openAll(encrypted);
    for (const each of opened) if (each?.commitment && each.opening) openings[each.commitment] = each.opening;
    return opened.map(each => each?.text ?? null);
  };
  return { texts: { ...texts, decryptAll }, openings };
}

type Answer = ReportAnswer | JsonStream<ReportAnswer>;

/**
 * Reports from the current ledger, or as of a moment, with a proof when requested. A CSV of the current ledger is streamed.
 * @param caller to whose share of snapshots those of the moment count
 * @param openExport @throws Problem 503
 */
export function createReporting(deps: BillingDeps) {
  const reports = createReports(deps);

  return async (
    request: ReportRequest,
    position: Position | null,
    caller: string,
    openExport: () => OpenExport,
  ): Promise<Reply<Answer>> => {
    const asOf: AsOf = { read: (moment, read) => deps.asOf.read(moment, read, caller) };
    const now = (reached: Position | null): Promise<ReportAnswer> => answerReport(reports, request, reached);
    const past = (views: Views, asOfPosition: Position): Promise<ReportAnswer> =>
      answerReport(createReports({ ...deps, views, asOfPosition }), request, null);
    const moment = await momentOf(deps, request);
    if (request.proof) {
      const noting = async (read: (texts: PersonalTexts) => Promise<ReportAnswer>) => {
        const { texts, openings } = notingOpenings(deps.texts);
        return { answer: await read(texts), openings };
      };
      return proveReport({ ...deps, asOf }, request, moment, {
        now: reached => noting(texts => answerReport(createReports({ ...deps, texts }), request, reached)),
        past: (views, asOfPosition) =>
          noting(texts =>
            answerReport(createReports({ ...deps, texts, views, asOfPosition }), request, null),
          ),
      });
    }
    if (request.asOf === undefined && request.action === 'export_revenue_csv') {
      const streamed = await streamCsv(deps, request, position, openExport());
      if (streamed) return new Reply<Answer>(streamed.body, { ...streamed.headers, ...headOf(deps) });
      return readAsOf(asOf, moment ?? (await deps.views.foldedUpTo([FEE_LEDGER.name])), deps.now(), past);
    }
    if (moment !== undefined) return readAsOf(asOf, moment, deps.now(), past);
    const folded = await reportPosition(deps.views, request.action);
    const answer = await now(position);
    const reached = formatPosition(Math.max(folded, position ?? BEGINNING));
    return new Reply<Answer>(answer, { 'X-Ledger-Position': reached, ...headOf(deps) });
  };
}

/**
 * What the report is requested as of: each part of an export as of the position of the first one.
 * @throws Problem 400 for a cursor that is not of the export, or of this ledger
 */
async function momentOf(
  { store }: BillingDeps,
  request: ReportRequest,
): Promise<string | number | undefined> {
  const cursor = request.action === 'export_revenue_csv' ? cursorOf(request) : null;
  if (!cursor) return request.asOf;
  if (cursor.ledger !== (await ledgerIdOf(store)))
    throw Problem.invalid('/body/cursor', 'the cursor of another ledger', 'other_ledger');
  if (cursor.position <= (await store.end())) return cursor.position;
  throw Problem.invalid('/body/cursor', 'a position that was not recorded', 'in_future');
}

function headOf({ prover }: BillingDeps): Record<string, string> {
  const head = prover.head();
  return head === null ? {} : { 'X-Ledger-Head': head };
}
