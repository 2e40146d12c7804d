import { createSlowSites } from './slow-sites';

it('sites whose last read was slow are one target, until a read of theirs is quick or ten minutes are over', async () => {
  let now = 1;
  const { targetOf, timed } = createSlowSites(() => now);
  const read = (site: string, ms: number, fails = false) =>
    timed(site, async () => {
      now += ms;
      if (fails) throw new Error('stalled');
    }).catch(() => undefined);

  await read('stalling.com', 5_000, true);
  await read('slow.com', 3_000);
  await read('quick.com', 100);
  expect(targetOf('stalling.com')).toBe(targetOf('slow.com'));
  expect(targetOf('quick.com')).toBe('quick.com');
  await read('slow.com', 100);
  expect(targetOf('slow.com')).toBe('slow.com');
  now += 601_000;
  expect(targetOf('stalling.com')).toBe('stalling.com');
});
