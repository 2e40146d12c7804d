import type { ReportRequest } from '../../contracts/http/billing-actions';
import type { Position } from '../../contracts/position';
import type { Views } from '../../projections/views';
import { WithHeaders } from '../http/binding';
import type { Streamed } from '../http/streamed';
import { readAsOf } from './as-of';
import type { BillingDeps } from './deps';
import { proven } from './proven';
import { answerReport, createReports, streamCsv, type ReportAnswer } from './reports';

type Answer = ReportAnswer | Streamed<ReportAnswer>;

/**
 * Reports from the ledger as it is, or as it stood; with a proof where one is asked for. A CSV of the ledger as it is comes
 * row by row.
 */
export function createReporting(deps: BillingDeps) {
  const reports = createReports(deps);

  return async (request: ReportRequest, position: Position | null): Promise<Answer | WithHeaders<Answer>> => {
    const now = (reached: Position | null): Promise<ReportAnswer> => answerReport(reports, request, reached);
    const past = (views: Views): Promise<ReportAnswer> =>
      answerReport(createReports({ ...deps, views }), request, null);
    if (request.proof) return proven(deps, request, { now, past });
    if (request.asOf !== undefined) return readAsOf(deps.asOf, request.asOf, deps.now(), past);
    const answer =
      request.action === 'export_revenue_csv'
        ? await streamCsv(deps, request, position)
        : await now(position);
    const head = deps.prover.head();
    return head === null ? answer : new WithHeaders(answer, { 'X-Ledger-Head': head });
  };
}
