import type { z } from 'zod';
import { appReportId, appReportStream } from '../../../contracts/events/app-report';
import type { submitAppReport } from '../../../contracts/http/catalog/apps';
import { formatTonAddress } from '../../../contracts/account/address';
import { accountKey } from '../../../contracts/network/network';
import type { Position } from '../../../contracts/position';
import { Problem } from '../../../contracts/problem/problem';
import { tonAccount } from '../../../contracts/account/ton-account';
import { decryptComments, encryptComment } from '../comment';
import type { AppDeps } from '../deps';
import { sentBy } from '../callers';
import { appReportKind } from './decider';

type Body = z.output<NonNullable<typeof submitAppReport.body>>;
type Report = z.input<NonNullable<typeof submitAppReport.response>>['report'];

/**
 * Who complains of the same again gets its own first complaint, and never what another caller has sent in the name of the same
 * wallet: who does not send it cannot know it.
 */
export async function submitReport(
  { handle, texts, clock, sourceOf }: Pick<AppDeps, 'handle' | 'texts' | 'clock' | 'sourceOf'>,
  { url, input }: Body,
  ip: string,
): Promise<{ readonly report: Report; readonly position: Position }> {
  const reporter = tonAccount(input.address, input.network, '/body/input/network');
  const { network, address } = reporter;
  const { type } = input;
  const reportId = appReportId(url, type, reporter);
  const source = sourceOf(ip, appReportStream(reportId));
  const comment = await encryptComment(texts, reporter, input.comment);
  const now = clock().toISOString();
  const outcome = await handle(appReportKind, appReportStream(reportId), {
    type: 'report',
    report: { reportId, url, type, network, address, comment, source },
    metadata: { now, actor: accountKey(reporter) },
  });
  if (outcome.refusal) throw Problem.of(outcome.refusal);
  const sent = sentBy(outcome.state?.sent ?? [], source) ?? { at: now, comment };
  const [shown] = await decryptComments(texts, [sent.comment]);
  const report = {
    _id: reportId,
    url,
    address: formatTonAddress(address, network, false),
    type,
    createdAt: Date.parse(sent.at),
    comment: shown ?? null,
  };
  return { report, position: outcome.position };
}
