import type { AppReportEvent } from '../../../contracts/events/app-report';
import { appReportKind, type AppReportCommand } from './decider';

const report = {
  reportId: '5f',
  url: 'https://app.example.com',
  type: 'scam',
  network: 'mainnet',
  address: `0:${'ab'.repeat(32)}`,
} as const;
const metadata = { now: '2026-03-01T12:00:00.000Z', actor: 'ann' };
const reported: AppReportEvent = {
  type: 'AppReported',
  data: { ...report, comment: null, at: metadata.now },
};
const dismissed: AppReportEvent = {
  type: 'AppReportDismissed',
  data: { ...report, at: metadata.now, by: metadata.actor },
};
const complain: AppReportCommand = { type: 'report', report: { ...report, comment: null }, metadata };
const dismiss: AppReportCommand = { type: 'dismiss', metadata };

const { initial, evolve, decide } = appReportKind.decider;

it.each([
  ['counts', [], complain, [reported]],
  ['counts once', [reported], complain, []],
  ['is dismissed', [reported], dismiss, [dismissed]],
  ['is dismissed once', [reported, dismissed], dismiss, []],
  ['that was dismissed stays so', [reported, dismissed], complain, []],
] as const)('a complaint %s', (_what, events, command, expected) => {
  expect(decide(([...events] as AppReportEvent[]).reduce(evolve, initial()), command)).toEqual(expected);
});

it('what was not reported is not dismissed', () => {
  expect(decide(null, dismiss)).toMatchObject({ refused: true, code: 'app_report_not_found' });
});
