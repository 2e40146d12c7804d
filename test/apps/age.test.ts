import { APP_REPORT_RETENTION, APP_REVIEW_RETENTION } from '../../services/apps/retention';
import { applyIn } from '../apply-retention';
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
