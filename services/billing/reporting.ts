import type { ReportRequest } from '../../contracts/http/billing-actions';
import type { Position } from '../../contracts/position';
import type { Views } from '../../projections/views';
import { Reply } from '../http/call';
import type { JsonStream } from '../http/json-stream';
import { readAsOf } from './as-of';
import type { BillingDeps } from './deps';
import { proveReport } from './prove-report';
import { answerReport, createReports, streamCsv, type ReportAnswer } from './reports';

type Answer = ReportAnswer | JsonStream<ReportAnswer>;

/**
 * Reports from the current ledger, or as of a moment, with a proof when requested. A CSV of the current ledger is streamed.
 */
export function createReporting(deps: BillingDeps) {
  const reports = createReports(deps);

  return async (request: ReportRequest, position: Position | null): Promise<Answer | Reply<Answer>> => {
    const now = (reached: Position | null): Promise<ReportAnswer> => answerReport(reports, request, reached);
    const past = (views: Views): Promise<ReportAnswer> =>
      answerReport(createReports({ ...deps, views }), request, null);
    if (request.proof) return proveReport(deps, request, { now, past });
    if (request.asOf !== undefined) return readAsOf(deps.asOf, request.asOf, deps.now(), past);
    const answer =
      request.action === 'export_revenue_csv'
        ? await streamCsv(deps, request, position)
        : await now(position);
    const head = deps.prover.head();
    return head === null ? answer : new Reply(answer, { 'X-Ledger-Head': head });
  };
}
