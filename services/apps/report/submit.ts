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
import { appReportKind } from './decider';

type Body = z.output<NonNullable<typeof submitAppReport.body>>;
type Report = z.input<NonNullable<typeof submitAppReport.response>>['report'];

/** A wallet that complains of the same again gets its first report. */
export async function submitReport(
  { handle, texts, clock }: Pick<AppDeps, 'handle' | 'texts' | 'clock'>,
  { url, input }: Body,
): Promise<{ readonly report: Report; readonly position: Position }> {
  const reporter = tonAccount(input.address, input.network, '/body/input/network');
  const { network, address } = reporter;
  const { type: kind } = input;
  const reportId = appReportId(url, kind, reporter);
  const outcome = await handle(appReportKind, appReportStream(reportId), {
    type: 'report',
    report: {
      reportId,
      url,
      type: kind,
      network,
      address,
      comment: await encryptComment(texts, reporter, input.comment),
    },
    metadata: { now: clock().toISOString(), actor: accountKey(reporter) },
  });
  if (outcome.refusal) throw Problem.of(outcome.refusal);
  const { at, comment } = outcome.state!;
  const [shown] = await decryptComments(texts, [comment]);
  const report = {
    _id: reportId,
    url,
    address: formatTonAddress(address, network, false),
    type: kind,
    createdAt: Date.parse(at),
    comment: shown ?? null,
  };
  return { report, position: outcome.position };
}
