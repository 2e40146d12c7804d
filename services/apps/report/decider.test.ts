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
const reportedBy = (source: string | null, isCounted: boolean): AppReportEvent => ({
  type: 'AppReported',
  data: { ...report, comment: null, source, isCounted, at: metadata.now },
});
const reported = reportedBy('s1', true);
const dismissed: AppReportEvent = {
  type: 'AppReportDismissed',
  data: { ...report, at: metadata.now, by: metadata.actor },
};
const complainBy = (source: string, ciphertext?: string): AppReportCommand => ({
  type: 'report',
  report: { ...report, comment: ciphertext ? { subject: 'ann', ciphertext } : null, source },
  metadata,
});
const complain = complainBy('s1');
const dismiss: AppReportCommand = { type: 'dismiss', metadata };
const remove: AppReportCommand = { type: 'remove', metadata };
const removed: AppReportEvent = { type: 'AppReportRemoved', data: { ...report, at: metadata.now } };

const { initial, evolve, decide } = appReportKind.decider;

it.each([
  ['counts', [], complain, [reported]],
  ['counts once', [reported], complain, []],
  [
    'of another caller is recorded, and does not count',
    [reported],
    complainBy('s2'),
    [reportedBy('s2', false)],
  ],
  [
    'of whom nobody knows the caller is nobody\u2019s',
    [reportedBy(null, true)],
    complain,
    [reportedBy('s1', false)],
  ],
  ['is dismissed', [reported], dismiss, [dismissed]],
  ['is dismissed once', [reported, dismissed], dismiss, []],
  ['that was dismissed stays so', [reported, dismissed], complain, []],
  ['is removed', [reported], remove, [removed]],
  ['that was dismissed is not removed', [reported, dismissed], remove, []],
  ['is removed once', [reported, removed], remove, []],
  ['counts again after it was removed', [reported, removed], complain, [reported]],
] as const)('a complaint %s', (_what, events, command, expected) => {
  expect(decide(([...events] as AppReportEvent[]).reduce(evolve, initial()), command)).toEqual(expected);
});

const besides = ['s2', 's3', 's4'].map(source => reportedBy(source, false));
it.each([
  ['dismissed that was not sent', [], dismiss, 'app_report_not_found'],
  ['recorded of a fifth caller', [reported, ...besides], complainBy('s5'), 'too_many_app_reports'],
  ['replaced by what its caller says later', [reported], complainBy('s1', 'v1'), 'app_report_exists'],
  ['recorded once it is dismissed', [reported, dismissed], complainBy('s2'), 'app_report_dismissed'],
] as const)('a complaint is not %s, and that is said', (_what, events, command, code) => {
  const state = ([...events] as AppReportEvent[]).reduce(evolve, initial());
  expect(decide(state, command)).toMatchObject({ refused: true, code });
});
