import { appId } from '../../contracts/events/app-review';
import { history } from '../../test/contracts/builders';
import { given } from '../../test/contracts/projection';
import { appReportsProjection } from './reports';

const url = 'https://app.example.com';
const by = { url, network: 'mainnet', address: `0:${'a1'.repeat(32)}`, at: '2026-03-01T12:00:00.000Z' };

const event = (
  type: 'AppReported' | 'AppReportDismissed' | 'AppReportRemoved',
  reportId: string,
  kind: string,
  isCounted = true,
) =>
  [
    `appReport-${reportId}`,
    {
      type,
      data: { ...by, reportId, type: kind, comment: null, source: null, isCounted, by: 'ann' },
      metadata: { v: type === 'AppReported' ? 2 : 1 },
    },
  ] as const;

const document = (id: string, type: string, isDismissed = false) => ({
  _id: id,
  app: appId(url),
  type,
  isDismissed,
});

it('has each complaint once, whether it is dismissed, and none that was removed', () =>
  given(
    appReportsProjection,
    history(
      event('AppReported', '1', 'scam'),
      event('AppReported', '2', 'scam'),
      event('AppReported', '3', 'bug'),
      event('AppReported', '3', 'bug', false),
      event('AppReportDismissed', '1', 'scam'),
      event('AppReported', '4', 'spam'),
      event('AppReportRemoved', '4', 'spam'),
    ),
  ).then({ app_reports: [document('1', 'scam', true), document('2', 'scam'), document('3', 'bug')] }));
