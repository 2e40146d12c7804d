import fc from 'fast-check';
import { runs } from '../../test/random';
import { MAX_DEVICES, notifiedFollowers, withFollower, withoutFollower, type Follower } from './followers';

const day = (n: number): string => new Date(Date.UTC(2026, 0, 1) + n * 86_400_000).toISOString();
const follower = (device: string, source: string | null, more: Partial<Follower> = {}): Follower => ({
  device,
  source,
  since: day(0),
  registeredAt: day(0),
  isProven: false,
  ...more,
});
/** Devices of sources that each have as many. */
const devices = (count: number, sources: number, from = 0): Follower[] =>
  Array.from({ length: count }, (_, n) => follower(`d${n + from}`, `s${n % sources}`));
const after = (all: readonly Follower[], before: readonly Follower[] = []): readonly Follower[] =>
  all.reduce(withFollower, before);
const namesOf = (followers: readonly Follower[]): string[] => followers.map(({ device }) => device);
const notified = (followers: readonly Follower[]): string[] => namesOf(notifiedFollowers(followers));

it('all devices have a place while there are places, of whatever source', () => {
  expect(notified(after(devices(MAX_DEVICES, 1)))).toHaveLength(MAX_DEVICES);
});

it('a source that has more than a quarter gives its last places to others, and keeps the first', () => {
  const victims = Array.from({ length: 12 }, (_, n) => follower(`v${n}`, `v${n}`));
  const left = notified(after(victims, after(devices(MAX_DEVICES, 1))));
  expect(left).toEqual(['d0', 'd1', ...namesOf(victims).slice(0, 8)]);
});

it('who came first stays: nobody who comes later pushes out one within its share', () => {
  const first = after(devices(MAX_DEVICES, 5));
  expect(after(devices(100, 50, 100), first)).toEqual(first);
});

it('a source that has its quarter gets no place of another that has more', () => {
  const full = after([
    ...devices(4, 1),
    ...devices(6, 3, 10).map(each => ({ ...each, source: `t${each.source}` })),
  ]);
  expect(after([follower('third', 'ts1')], full)).toEqual(full);
  expect(namesOf(after([follower('first', 'u')], full))).toContain('first');
});

it('a device that registers again keeps its place and its time, and has its new source', () => {
  const [one, two] = [follower('d1', 's1'), follower('d2', 's2')];
  const again = follower('d1', 's3', { registeredAt: day(2) });
  expect(after([one, two, again])).toEqual([again, two]);
});

it('who came first has its place also where its last registration comes after those of others', () => {
  const first = follower('victim', 'victim', { since: day(0), registeredAt: day(9) });
  const squatters = Array.from({ length: 30 }, (_, n) =>
    follower(`d${n}`, `s${n % 30}`, { since: day(1), registeredAt: day(8) }),
  );
  expect(notified(after([...squatters, first]))).toContain('victim');
  expect(notified(after([first, ...squatters]))).toEqual(notified(after([...squatters, first])));
});

it('a device that has not registered for a month loses its place to a new one', () => {
  const full = after(devices(MAX_DEVICES, 5));
  const late = (n: number) => follower('new', 'new', { registeredAt: day(n) });
  expect(notified(after([late(30)], full))).not.toContain('new');
  expect(notified(after([late(31)], full))).toContain('new');
});

it('proven devices come before all others, which have a quarter a source of what is left', () => {
  const full = after(devices(MAX_DEVICES, 5));
  const proven = (count: number) =>
    after(
      Array.from({ length: count }, (_, n) =>
        follower(`p${n}`, 'home', { isProven: true, registeredAt: day(n) }),
      ),
      full,
    );
  expect(notified(proven(5))).toEqual(['p0', 'p1', 'p2', 'p3', 'p4', 'd0', 'd1', 'd2', 'd3', 'd4']);
  expect(notified(proven(MAX_DEVICES))).toEqual(Array.from({ length: MAX_DEVICES }, (_, n) => `p${n}`));
  // All are of the owner: the one that has not been there for the longest makes room.
  expect(notified(proven(MAX_DEVICES + 1))).not.toContain('p0');
  expect(notified(proven(MAX_DEVICES + 1))).toContain('p10');
});

it('devices of earlier versions, of which no source is known, have places of their own', () => {
  const old = Array.from({ length: MAX_DEVICES }, (_, n) => follower(`d${n}`, null));
  expect(after([follower('new', 's')], after(old))).toEqual(old);
});

it('has a bounded number of devices, and notifies at most ten, proven ones first', () => {
  const step = fc.record({
    device: fc.integer({ min: 0, max: 30 }).map(n => `d${n}`),
    source: fc.constantFrom(null, 's1', 's2', 's3'),
    isProven: fc.boolean(),
    isGone: fc.boolean(),
    day: fc.integer({ min: 0, max: 60 }),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), steps => {
      let followers: readonly Follower[] = [];
      for (const { isGone, day: n, ...each } of steps)
        followers = isGone
          ? withoutFollower(followers, each.device)
          : withFollower(followers, { ...each, since: day(0), registeredAt: day(n) });
      const names = namesOf(followers);
      expect(new Set(names).size).toBe(names.length);
      expect(names.length).toBeLessThanOrEqual(2 * MAX_DEVICES);
      const shown = notifiedFollowers(followers);
      expect(shown.length).toBe(Math.min(followers.length, MAX_DEVICES));
      expect(namesOf(shown)).toEqual(
        expect.arrayContaining(namesOf(followers.filter(({ isProven }) => isProven))),
      );
    }),
    runs(100),
  );
});
