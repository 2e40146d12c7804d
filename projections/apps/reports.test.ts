import { appId } from '../../contracts/events/app-review';
import { history } from '../../test/contracts/builders';
import { given } from '../../test/contracts/projection';
import { appReportsProjection } from './reports';

const url = 'https://app.example.com';
const by = { url, network: 'mainnet', address: `0:${'a1'.repeat(32)}`, at: '2026-03-01T12:00:00.000Z' };

const event = (
  type: 'AppReported' | 'AppReportDismissed',
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

it('counts the complaints of an application by type, without those that were dismissed', () =>
  given(
    appReportsProjection,
    history(
      event('AppReported', '1', 'scam'),
      event('AppReported', '2', 'scam'),
      event('AppReported', '3', 'bug'),
      event('AppReported', '3', 'bug', false),
      event('AppReportDismissed', '1', 'scam'),
    ),
  ).then({
    app_report_counts: [{ _id: appId(url), url, counts: { scam: 1, spam: 0, bug: 1, offense: 0 } }],
  }));
