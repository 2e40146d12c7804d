import { startAppsProgram, type AppsProgram } from './program';

let program: AppsProgram;
afterEach(() => program.stop());

const start = async (perDay: string, perMinute = '1000') => {
  program = await startAppsProgram({
    settings: { RATE_LIMIT_APP_REVIEWS: perMinute, RATE_LIMIT_APP_REVIEWS_PER_DAY: perDay },
  });
};

/** @returns the answer to a review of another wallet each time */
const review = async (from: string, n: number) => {
  const address = `0:${n.toString(16).padStart(64, '0')}`;
  const input = { rating: 1, address, comment: null };
  return program.call(from, '/apps/reviews', { url: 'https://app.example.com', input });
};

it('what one caller leaves for good within a day is a share, beside which others leave theirs', async () => {
  await start('20');
  const statuses = [];
  for (let n = 0; n < 10; n++) statuses.push((await review('192.0.2.1', n)).status);
  expect(statuses).toEqual([...Array<number>(5).fill(200), ...Array<number>(5).fill(429)]);
  for (const n of [1, 2, 3]) expect((await review(`198.51.100.${n}`, 100 + n)).status).toBe(200);

  const refused = await review('192.0.2.1', 10);
  expect(refused.body).toMatchObject({ code: 'rate_limited', 'violated-policies': ['app_reviews_per_day'] });
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(60);
});

it('what callers leave for good within a day has a bound, however many they are', async () => {
  await start('20');
  const statuses = [];
  for (let n = 0; n < 40; n++) statuses.push((await review(`192.0.2.${n}`, n)).status);
  expect(statuses).toEqual([...Array<number>(20).fill(200), ...Array<number>(20).fill(429)]);
});

it.each([
  ['0', '1000'],
  ['1', '0'],
])('without a limit a day (%s), or a minute (%s), nothing is counted', async (perDay, perMinute) => {
  await start(perDay, perMinute);
  for (let n = 0; n < 5; n++) expect((await review('192.0.2.1', n)).status).toBe(200);
});
