import type { ReportRequest } from '../../contracts/http/billing-actions';
import type { Position } from '../../contracts/position';
import type { AsOf } from '../../projections/as-of/port';
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
 * `caller` is the one to whose share of snapshots those of the moment count.
 */
export function createReporting(deps: BillingDeps) {
  const reports = createReports(deps);

  return async (
    request: ReportRequest,
    position: Position | null,
    caller: string,
  ): Promise<Answer | Reply<Answer>> => {
    const asOf: AsOf = { read: (moment, read) => deps.asOf.read(moment, read, caller) };
    const now = (reached: Position | null): Promise<ReportAnswer> => answerReport(reports, request, reached);
    const past = (views: Views): Promise<ReportAnswer> =>
      answerReport(createReports({ ...deps, views }), request, null);
    if (request.proof) return proveReport({ ...deps, asOf }, request, { now, past });
    if (request.asOf !== undefined) return readAsOf(asOf, request.asOf, deps.now(), past);
    const answer =
      request.action === 'export_revenue_csv'
        ? await streamCsv(deps, request, position)
        : await now(position);
    const head = deps.prover.head();
    return head === null ? answer : new Reply(answer, { 'X-Ledger-Head': head });
  };
}
