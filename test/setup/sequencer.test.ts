import { existsSync } from 'node:fs';
import { join } from 'node:path';
import LongestFirst from './sequencer';

const ROOT = join(__dirname, '..', '..');

/** The order in which jest starts these, all of the same size, when it knows some durations in milliseconds. */
function order(paths: readonly string[], durations: Readonly<Record<string, number>> = {}): string[] {
  const sequencer = new LongestFirst({} as never);
  Object.assign(sequencer, { time: ({ path }: { path: string }) => durations[path], hasFailed: () => false });
  const context = { hasteFS: { getSize: () => 1 } };
  return sequencer.sort(paths.map(path => ({ path, context }))).map(({ path }: { path: string }) => path);
}

const [longest, second] = LongestFirst.LONGEST.map((end: string) => `/clone${end}`) as [string, string];
const short = '/clone/contracts/money.test.ts';

test('what is known to take minutes is started first, the longest of it before all others', () => {
  expect(order([short, second, longest])).toEqual([longest, second, short]);
});

test('where jest knows how long tests took, they are started in that order', () => {
  const durations = { [short]: 3_000, [longest]: 1_000, [second]: 2_000 };
  expect(order([longest, second, short], durations)).toEqual([short, second, longest]);
});

test('what is listed as long exists', () => {
  expect(LongestFirst.LONGEST.filter((end: string) => !existsSync(join(ROOT, end)))).toEqual([]);
});
