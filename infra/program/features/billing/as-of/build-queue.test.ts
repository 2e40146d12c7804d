import { createBuildQueue } from './build-queue';

/** A queue of four beside what runs, in which nothing ends until `go`. */
function fixture() {
  const queue = createBuildQueue<string>({ maxWaiting: 4, maxPerCaller: 2 });
  const built: string[] = [];
  let go = (): void => undefined;
  const opened = new Promise<void>(resolve => (go = resolve));
  const run = (key: string, caller: string): Promise<string> =>
    queue
      .run(key, caller, async () => {
        await opened;
        built.push(key);
        return 'built';
      })
      .catch((error: Error) => error.message);
  return { queue, built, run, go };
}

it('builds that of a caller after one of each other, whose newest gives up its place for it', async () => {
  const { built, run, go } = fixture();
  const greedy = ['a1', 'a2', 'b1', 'b2', 'c1'].map(key => run(key, key.charAt(0)));
  const honest = run('honest', 'honest');
  go();
  expect(await honest).toBe('built');
  expect(built).toEqual(['a1', 'a2', 'b1', 'c1', 'honest']);
  expect(await Promise.all(greedy)).toEqual([
    ...['built', 'built', 'built', 'too many snapshots are waiting to be built', 'built'],
  ]);
});

it('builds what several wait for once, with the turn of whose comes first', async () => {
  const { built, run, go, queue } = fixture();
  const all = [run('a1', 'a'), run('b1', 'b'), run('b2', 'b'), run('b2', 'c'), run('d1', 'd')];
  go();
  expect(new Set(await Promise.all(all))).toEqual(new Set(['built']));
  expect(built).toEqual(['a1', 'b1', 'b2', 'd1']);
  await queue.idle();
  expect(await run('a1', 'a')).toBe('built');
});

it('has place again for a caller whose own have been built', async () => {
  const { run, go } = fixture();
  const two = [run('1', 'a'), run('2', 'a')];
  expect(await run('3', 'a')).toBe('2 snapshots are being built for this caller');
  go();
  await Promise.all(two);
  expect(await run('3', 'a')).toBe('built');
});
