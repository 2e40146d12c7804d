import { createRegistrationsWait } from './registrations';

it('looks again after ten seconds, since the documents may have been lost, and until they are there', async () => {
  let now = 0;
  let isBehind = false;
  let looks = 0;
  const wait = createRegistrationsWait(
    {
      views: () => ({ waitForPosition: async () => (looks++, !isBehind) }),
      store: { head: async () => 7 },
    },
    () => now,
  );
  await wait();
  isBehind = true;
  await wait();
  expect(looks).toBe(1);
  now = 10_000;
  await expect(wait()).rejects.toThrow('behind');
  await expect(wait()).rejects.toThrow('behind');
  isBehind = false;
  await wait();
});
