import { startAppsProgram, type AppsProgram } from './program';

const [VICTIM, STRANGER] = ['198.51.100.7', '192.0.2.1'];
const url = 'https://app.example.com';
const address = `0:${'a1'.repeat(32)}`;

let program: AppsProgram;
beforeEach(async () => {
  program = await startAppsProgram();
});
afterEach(() => program.stop());

const send = (from: string, rating: number, text: string) => {
  const input = { rating, address, comment: { text, images: [] } };
  return program.call(from, '/apps/reviews', { url, input });
};
const review = async (from: string, rating: number, text: string) => {
  const { status, body } = await send(from, rating, text);
  expect(status).toBe(200);
  return body.review;
};
/** It is not recorded, and says so. */
const expectRefused = async (answer: ReturnType<typeof send>): Promise<void> =>
  expect(await answer).toMatchObject({ status: 403, body: { code: 'signature_required' } });
const shown = async () => {
  const of = `/apps/reviews?url=${encodeURIComponent(url)}&address=${address}`;
  return (await program.call(VICTIM, of)).body;
};
const stored = async (): Promise<number> => {
  let events = 0;
  for await (const page of program.deps.engines.store.readAll({ categories: ['appReview'] }))
    events += page.length;
  return events;
};

it('what strangers review in the name of a wallet neither replaces its own nor counts', async () => {
  const mine = await review(VICTIM, 5, 'good');
  for (let n = 0; n < 3; n++)
    expect(await review(`192.0.2.${n}`, 1, 'awful')).toMatchObject({
      rating: 1,
      comment: { text: 'awful' },
      verified: false,
    });
  for (let n = 3; n < 20; n++) await expectRefused(send(`192.0.2.${n}`, 1, 'awful'));
  expect(await shown()).toEqual({ review: mine, reviews: [mine] });
  expect(await stored()).toBe(4);

  const changed = await review(VICTIM, 4, 'less good');
  expect(changed.createdAt).toBe(mine.createdAt);
  expect(await shown()).toEqual({ review: changed, reviews: [changed] });
});

it('a review that says nothing new is not stored again', async () => {
  const first = await review(VICTIM, 5, 'good');
  for (let n = 0; n < 5; n++) expect(await review(VICTIM, 5, 'good')).toEqual(first);
  const beside = await review(STRANGER, 1, 'awful');
  expect(await review(STRANGER, 1, 'awful')).toEqual(beside);
  for (let n = 0; n < 5; n++) await expectRefused(send(STRANGER, n + 1, `${n}`));
  expect(await stored()).toBe(2);
});

it('an address is the same caller on another day: it replaces its own review, and takes no second place', async () => {
  await program.stop();
  let day = 1;
  program = await startAppsProgram({ clock: () => new Date(Date.UTC(2026, 2, day)) });
  const first = await review(VICTIM, 5, 'good');
  await review(STRANGER, 1, 'awful');
  day = 30;
  await review(STRANGER, 1, 'awful');
  expect(await stored()).toBe(2);
  const changed = await review(VICTIM, 4, 'less good');
  expect(changed.createdAt).toBe(first.createdAt);
  expect(await shown()).toEqual({ review: changed, reviews: [changed] });
});
