import type { z } from 'zod';
import { appReportId, appReportStream } from '../../../contracts/events/app-report';
import type { submitAppReport } from '../../../contracts/http/catalog/apps';
import { formatTonAddress } from '../../../contracts/account/address';
import { accountKey } from '../../../contracts/network/network';
import type { Position } from '../../../contracts/position';
import { Problem } from '../../../contracts/problem/problem';
import { tonAccount } from '../../../contracts/account/ton-account';
import { encryptAsKnown } from '../comment';
import { load } from '../../commands/load';
import type { AppDeps } from '../deps';
import { sentBy } from '../callers';
import { appReportKind } from './decider';

type Body = z.output<NonNullable<typeof submitAppReport.body>>;
type Report = z.input<NonNullable<typeof submitAppReport.response>>['report'];

/**
 * The answer says when it was first sent, and nothing else of what is recorded: several may call from one address, and who does
 * not send a complaint cannot know it.
 * @throws Problem why it is not recorded
 */
export async function submitReport(
  deps: Pick<AppDeps, 'store' | 'handle' | 'texts' | 'clock' | 'sourceOf'>,
  body: Body,
  ip: string,
): Promise<{ readonly report: Report; readonly position: Position }> {
  const { url, input } = body;
  const { store, handle, texts, clock, sourceOf } = deps;
  const reporter = tonAccount(input.address, input.network, '/body/input/network');
  const { network, address } = reporter;
  const { type } = input;
  const reportId = appReportId(url, type, reporter);
  const stream = appReportStream(reportId);
  const source = sourceOf(ip, stream);
  const own = sentBy((await load(store, appReportKind, stream))?.sent ?? [], source);
  const comment = await encryptAsKnown(texts, reporter, input.comment, own?.comment);
  const now = clock().toISOString();
  const outcome = await handle(appReportKind, stream, {
    type: 'report',
    report: { reportId, url, type, network, address, comment, source },
    metadata: { now, actor: accountKey(reporter) },
  });
  // It may be the same one, sent twice at a time: then it is seen now.
  if (outcome.refusal?.code === 'app_report_exists' && !own) return submitReport(deps, body, ip);
  if (outcome.refusal) throw Problem.of(outcome.refusal);
  const { at } = sentBy(outcome.state!.sent, source)!;
  const report = {
    _id: reportId,
    url,
    address: formatTonAddress(address, network, false),
    type,
    createdAt: Date.parse(at),
    comment: input.comment ?? null,
  };
  return { report, position: outcome.position };
}
