import type { ReportRequest } from '../../contracts/http/billing-actions';
import type { Position } from '../../contracts/position';
import type { AsOf } from '../../projections/as-of/port';
import type { Views } from '../../projections/views';
import type { PersonalTexts } from '../personal-text';
import { Reply } from '../http/call';
import type { JsonStream } from '../http/json-stream';
import { readAsOf } from './as-of';
import type { BillingDeps } from './deps';
import { proveReport } from './prove-report';
import { answerReport, createReports, streamCsv, type ReportAnswer } from './reports';

/** Notes the openings of the texts that it decrypts: a proof has them. */
function notingOpenings(texts: PersonalTexts) {
  let openings: Record<string, string> = {};
  const decryptAll: PersonalTexts['decryptAll'] = async encrypted => {
    const opened = await texts.openAll(encrypted);
    for (const each of opened) if (each?.commitment && each.opening) openings[each.commitment] = each.opening;
    return opened.map(each => each?.text ?? null);
  };
  return { ...texts, decryptAll, openings: () => openings, clear: () => (openings = {}) };
}

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
    if (request.proof) {
      const noted = notingOpenings(deps.texts);
      const read = (views: Views, reached: Position | null): Promise<ReportAnswer> => {
        noted.clear();
        return answerReport(createReports({ ...deps, texts: noted, views }), request, reached);
      };
      const reading = {
        now: (reached: Position) => read(deps.views, reached),
        past: (views: Views) => read(views, null),
      };
      return proveReport({ ...deps, asOf }, request, reading, noted.openings);
    }
    if (request.asOf !== undefined) return readAsOf(asOf, request.asOf, deps.now(), past);
    const answer =
      request.action === 'export_revenue_csv'
        ? await streamCsv(deps, request, position)
        : await now(position);
    const head = deps.prover.head();
    return head === null ? answer : new Reply(answer, { 'X-Ledger-Head': head });
  };
}
