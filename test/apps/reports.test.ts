import { appReportStream } from '../../contracts/events/app-report';
import { appReportKind } from '../../services/apps/report/decider';
import { until } from '../until';
import { startAppsProgram, type AppsProgram } from './program';

const [VICTIM, STRANGER] = ['198.51.100.7', '192.0.2.1'];
const url = 'https://app.example.com';
const address = `0:${'a1'.repeat(32)}`;
const SECRET = 'They know that I live in Bern';

let program: AppsProgram;
beforeEach(async () => {
  program = await startAppsProgram();
});
afterEach(() => program.stop());

const comment = (text: string) => ({ text, images: [] });
const send = (from: string, text: string | null) => {
  const input = { type: 'scam', address, comment: text === null ? null : comment(text) };
  return program.call(from, '/apps/reports', { url, input });
};
const report = async (from: string, text: string | null) => {
  const { status, body } = await send(from, text);
  expect(status).toBe(200);
  return body.report;
};
const stored = async (): Promise<number> => {
  let events = 0;
  for await (const page of program.deps.engines.store.readAll({ categories: ['appReport'] }))
    events += page.length;
  return events;
};
const counts = async () => {
  const catalog = await program.call(VICTIM, `/apps/catalog?url=${encodeURIComponent(url)}`);
  return catalog.body.extension.reportsSummary;
};

it('a complaint answers with what its caller has sent, not with that of another caller in the same name', async () => {
  const mine = await report(VICTIM, SECRET);
  expect(mine.comment).toEqual(comment(SECRET));
  const other = await report(STRANGER, null);
  expect(other).toMatchObject({ url, type: 'scam', comment: null });
  const another = await send(STRANGER, 'mine');
  expect(another).toMatchObject({ status: 409, body: { code: 'app_report_exists' } });
  expect(JSON.stringify(another.body)).not.toContain(SECRET);
  expect(await report(VICTIM, SECRET)).toEqual(mine);
  await until(counts, ({ scam }) => scam === 1);
});

it('who has complained first in the name of a wallet does not keep its own complaint from the operators', async () => {
  await report(STRANGER, 'all is well');
  const mine = await report(VICTIM, SECRET);
  expect(mine.comment).toEqual(comment(SECRET));
  expect(await send(VICTIM, 'again')).toMatchObject({ status: 409, body: { code: 'app_report_exists' } });
  expect(await report(VICTIM, SECRET)).toEqual(mine);
  await until(counts, ({ scam }) => scam === 1);
});

it('an address that complains on several days in the name of a wallet has one place', async () => {
  await program.stop();
  let day = 1;
  program = await startAppsProgram({ clock: () => new Date(Date.UTC(2026, 2, day)) });
  for (; day <= 10; day++) await report(STRANGER, 'all is well');
  await report(VICTIM, SECRET);
  expect(await stored()).toBe(2);
});

it('leaves a bounded number of events, and who is not among them is told that the complaint is not recorded', async () => {
  for (let n = 0; n < 4; n++) expect((await report(`192.0.2.${n}`, `${n}`)).comment).toEqual(comment(`${n}`));
  for (const from of [VICTIM, ...Array.from({ length: 10 }, (_, n) => `192.0.2.${n + 4}`)])
    expect(await send(from, SECRET)).toMatchObject({ status: 429, body: { code: 'too_many_app_reports' } });
  expect(await stored()).toBe(4);
  expect((await report('192.0.2.3', '3')).comment).toEqual(comment('3'));
});

it('a complaint that is sent twice at a time is one, and both are told so', async () => {
  const answers = await Promise.all(Array.from({ length: 3 }, () => report(VICTIM, SECRET)));
  expect(answers).toEqual(answers.map(() => answers[0]));
  expect(await stored()).toBe(1);
});

it('what operators have dismissed takes no further complaint, and says so', async () => {
  const { _id } = await report(STRANGER, 'all is well');
  await program.deps.handle(appReportKind, appReportStream(_id), {
    type: 'dismiss',
    metadata: { now: new Date().toISOString(), actor: 'operator' },
  });
  expect(await send(VICTIM, SECRET)).toMatchObject({ status: 409, body: { code: 'app_report_dismissed' } });
  expect(await stored()).toBe(2);
});

it('a review answers with what its caller has sent, whatever others review in the same name', async () => {
  const review = async (from: string, rating: number) => {
    const input = { rating, address, comment: comment(`${rating} of ${from}`) };
    return (await program.call(from, '/apps/reviews', { url, input })).body.review;
  };
  const callers = Array.from({ length: 4 }, (_, n) => `192.0.2.${n}`);
  const answers = await Promise.all(callers.map((from, n) => review(from, n + 1)));
  expect(answers.map(({ rating, comment: { text } }) => [rating, text])).toEqual(
    callers.map((from, n) => [n + 1, `${n + 1} of ${from}`]),
  );
});
