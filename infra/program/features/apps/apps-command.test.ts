import { appReportId } from '../../../../contracts/events/app-report';
import { createHandle } from '../../../../services/commands/handle';
import { submitReport } from '../../../../services/apps/report/submit';
import { appReviewKind } from '../../../../services/apps/review/decider';
import { appReviewStream } from '../../../../contracts/events/app-review';
import { commandLine } from '../../../../test/command-line';
import { openPersonalTexts } from '../../personal-texts';
import { appsCommand } from './apps-command';
import { withEngines } from '../../commands/with-engines';

const { run, config } = commandLine(appsCommand);
const apps = async (...words: string[]) => JSON.parse(await run('--json', 'apps', ...words)) as unknown;

const url = 'https://app.example.com';
const RAW = `0:${'07'.repeat(32)}`;
const ADDRESS = 'UQAHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHB5-k';
const wallet = { network: 'mainnet', address: RAW } as const;
const now = '2026-03-01T12:00:00.000Z';

beforeAll(() =>
  withEngines(config(), async ({ engines }) => {
    const handle = createHandle({ store: engines.store });
    const texts = await openPersonalTexts(config(), engines);
    const comment = await texts.encrypt('ann', JSON.stringify({ text: 'It works', images: [] }));
    await handle(appReviewKind, appReviewStream(url, wallet), {
      type: 'submit',
      url,
      ...wallet,
      rating: 4,
      isVerified: false,
      comment,
      source: null,
      metadata: { now, actor: 'ann' },
    });
    await submitReport(
      { store: engines.store, handle, texts, clock: () => new Date(now), sourceOf: ip => ip },
      {
        url,
        input: { address: ADDRESS, type: 'scam', comment: { text: 'It asks for the seed', images: [] } },
      },
      '192.0.2.1',
    );
  }),
);

test('hides and shows reviews', async () => {
  const about = { url, network: 'mainnet', address: ADDRESS };
  const review = { address: ADDRESS, rating: 4, verified: false, updatedAt: now, text: 'It works' };
  expect(await apps('moderate', 'hide', `${url}/?q`, ADDRESS)).toEqual({ ...about, changed: true });
  expect(await apps('moderate', 'hide', url, RAW)).toEqual({ ...about, changed: false });
  expect(await apps('reviews', url)).toEqual({ url, reviews: [{ ...review, hidden: true }] });
  expect(await apps('moderate', 'show', url, ADDRESS)).toEqual({ ...about, changed: true });
  expect(await apps('reviews', url)).toEqual({ url, reviews: [{ ...review, hidden: false }] });
});

test('lists what wallets write on one line each, without control of the terminal', async () => {
  const address = `0:${'08'.repeat(32)}`;
  const text = 'Fine\n0  hidden\u001b]0;title\u0007 \u202eetirw';
  await withEngines(config(), async ({ engines }) => {
    const texts = await openPersonalTexts(config(), engines);
    const handle = createHandle({ store: engines.store });
    const deps = {
      store: engines.store,
      handle,
      texts,
      clock: () => new Date(now),
      sourceOf: (ip: string) => ip,
    };
    const input = { address, type: 'bug', comment: { text, images: [] as string[] } } as const;
    await submitReport(deps, { url, input }, '192.0.2.1');
  });
  const listed = await run('apps', 'reports');
  expect(listed.trimEnd().split('\n')).toHaveLength(3);
  expect(listed).toContain('Fine\\u{a}0  hidden\\u{1b}]0;title\\u{7} \\u{202e}etirw\n');
  await apps('moderate', 'dismiss', appReportId(url, 'bug', { network: 'mainnet', address }));
});

test('lists what each caller says in the name of one wallet, and dismisses it together', async () => {
  const address = `0:${'09'.repeat(32)}`;
  await withEngines(config(), async ({ engines }) => {
    const texts = await openPersonalTexts(config(), engines);
    const handle = createHandle({ store: engines.store });
    const deps = {
      store: engines.store,
      handle,
      texts,
      clock: () => new Date(now),
      sourceOf: (ip: string) => ip,
    };
    for (const ip of ['192.0.2.1', '192.0.2.2']) {
      const input = { address, type: 'bug', comment: { text: `of ${ip}`, images: [] as string[] } } as const;
      await submitReport(deps, { url, input }, ip);
    }
  });
  const textsOf = async () =>
    ((await apps('reports')) as { reports: { type: string; text: string }[] }).reports
      .filter(({ type }) => type === 'bug')
      .map(({ text }) => text);
  expect(await textsOf()).toEqual(['of 192.0.2.1', 'of 192.0.2.2']);
  await apps('moderate', 'dismiss', appReportId(url, 'bug', { network: 'mainnet', address }));
  expect(await textsOf()).toEqual([]);
});

test('dismisses complaints', async () => {
  const reportId = appReportId(url, 'scam', wallet);
  const text = 'It asks for the seed';
  expect(await apps('reports')).toEqual({
    reports: [{ reportId, url, type: 'scam', address: ADDRESS, at: now, text }],
  });
  expect(await apps('moderate', 'dismiss', reportId)).toEqual({ report: reportId, changed: true });
  expect(await apps('moderate', 'dismiss', reportId)).toEqual({ report: reportId, changed: false });
  expect(await apps('reports')).toEqual({ reports: [] });
});

test.each([
  [['reviews', 'app.example.com'], 'url: must be an https address'],
  [['moderate', 'hide', url, 'nonsense'], 'address: must be a TON address'],
  [['moderate', 'hide', 'https://other.example.com', ADDRESS], 'has not reviewed'],
  [['moderate', 'hide', url, ADDRESS, '--network', 'devnet'], 'network: '],
  [['moderate', 'dismiss', '5f'], 'report: must be the id of a report'],
  [['moderate', 'dismiss', '5f'.repeat(16)], 'There is no such report'],
])('refuses %j', async (words, why) => {
  await expect(apps(...words)).rejects.toThrow(why);
});
