import { appReportEvents, appReportStream } from '../../contracts/events/app-report';
import { appReviewStream } from '../../contracts/events/app-review';
import { personalTexts } from '../../infra/program/personal-texts';
import { appReportKind } from '../../services/apps/report/decider';
import { appReviewKind } from '../../services/apps/review/decider';
import { APP_REPORT_RETENTION, APP_REVIEW_RETENTION } from '../../services/apps/retention';
import { applyIn, deleteUnusedKeysIn, leftOfKey } from '../apply-retention';
import { until } from '../until';
import { startAppsProgram, type AppsProgram } from './program';

const DAY_MS = 86_400_000;
const FROM = '198.51.100.7';
const url = 'https://app.example.com';

let aheadMs = 0;
let program: AppsProgram;
beforeAll(async () => {
  program = await startAppsProgram({ clock: () => new Date(Date.now() + aheadMs) });
});
afterAll(() => program.stop());

const addressOf = (n: number): string => `0:${n.toString(16).padStart(64, '0')}`;
const review = (n: number, rating: number) =>
  program.call(FROM, '/apps/reviews', { url, input: { rating, address: addressOf(n), comment: null } });
const report = (n: number) =>
  program.call(FROM, '/apps/reports', { url, input: { type: 'scam', address: addressOf(n), comment: null } });
const summary = async () => {
  const { body } = await program.call(FROM, `/apps/catalog?url=${encodeURIComponent(url)}`);
  const { reportsSummary, rating, reviewsCount } = body.extension;
  return { scam: reportsSummary.scam, rating, reviewsCount };
};

it('reviews and complaints of long ago are taken back exactly, also after a rebuild', async () => {
  for (const rating of [1, 2]) await review(rating, rating);
  for (const n of [1, 2]) await report(n);
  await until(summary, ({ scam, reviewsCount }) => scam === 2 && reviewsCount === 2);

  await review(3, 5);
  aheadMs = 400 * DAY_MS;
  await applyIn(program, APP_REPORT_RETENTION);
  await until(summary, ({ scam }) => scam === 0);
  expect(await summary()).toEqual({ scam: 0, rating: 2.67, reviewsCount: 3 });

  aheadMs = 800 * DAY_MS;
  await applyIn(program, APP_REVIEW_RETENTION);
  await until(summary, ({ reviewsCount }) => reviewsCount === 0);
  await review(1, 4);
  await report(1);
  await until(summary, ({ scam, reviewsCount }) => scam === 1 && reviewsCount === 1);
  for (const projection of ['app-reviews', 'app-reports']) {
    const { comparison } = await program.deps.engine.rebuild(projection, program.deps);
    expect(comparison).toMatchObject({ documents: 1, different: 0, inconclusive: 0 });
  }
  expect(await summary()).toEqual({ scam: 1, rating: 4, reviewsCount: 1 });
});

describe('the key of a wallet', () => {
  const subjectOf = (n: number): string => `ton:mainnet:${addressOf(n)}`;
  const say = async (path: string, n: number, input: object, text = `of ${n}`) => {
    const comment = { text, images: [] };
    const { status, body } = await program.call(FROM, path, {
      url,
      input: { address: addressOf(n), comment, ...input },
    });
    expect(status).toBe(200);
    return body;
  };
  const decide = (type: 'hide' | 'show', n: number) =>
    program.deps.handle(appReviewKind, appReviewStream(url, { network: 'mainnet', address: addressOf(n) }), {
      type,
      metadata: { now: program.deps.clock().toISOString(), actor: 'ann' },
    });
  const comments = async (): Promise<string[]> => {
    const { body } = await program.call(FROM, `/apps/reviews?url=${encodeURIComponent(url)}`);
    const { reviews } = body as { reviews: { comment: { text: string } | null }[] };
    return reviews.flatMap(({ comment }) => comment?.text ?? []).sort();
  };

  it('goes after what it has said, but not while that was hidden or dismissed and so stays', async () => {
    for (const n of [11, 12]) await say('/apps/reviews', n, { rating: 5 });
    const { reportId } = await say('/apps/reports', 13, { type: 'scam' }).then(body => ({
      reportId: body.report._id as string,
    }));
    await decide('hide', 12);
    await program.deps.handle(appReportKind, appReportStream(reportId), {
      type: 'dismiss',
      metadata: { now: program.deps.clock().toISOString(), actor: 'ann' },
    });
    await review(14, 5);

    aheadMs += 731 * DAY_MS;
    for (const retention of [APP_REVIEW_RETENTION, APP_REPORT_RETENTION]) await applyIn(program, retention);
    await until(async () => (await comments()).length === 0);
    aheadMs += 30 * DAY_MS;
    expect(await deleteUnusedKeysIn(program)).toBe(1);
    expect(await leftOfKey(program, subjectOf(11))).toEqual([]);

    await decide('show', 12);
    await until(async () => (await comments()).join() === 'of 12');
    const texts = await program.deps.use(personalTexts);
    for await (const event of program.deps.engines.store.readStream(appReportStream(reportId))) {
      const { type, data } = appReportEvents.read(event);
      if (type === 'AppReported') expect(await texts.decrypt(data.comment!)).toContain('of 13');
    }
  });

  it('is used by a review that changes but for its comment', async () => {
    await say('/apps/reviews', 15, { rating: 5 });
    aheadMs += 30 * DAY_MS;
    await say('/apps/reviews', 15, { rating: 1 });
    const today = program.deps.clock().toISOString().slice(0, 10);
    expect(await leftOfKey(program, subjectOf(15))).toContainEqual({ position: 1, stamp: today });
    expect(await comments()).toContain('of 15');
  });
});
