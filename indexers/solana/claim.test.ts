import type { Job, Jobs } from '../../infra/jobs/port';
import { whileClaimed } from './claim';
import { until } from '../../test/until';

/** One job, given to whoever works at it, for as long as that one handles it. */
function oneJob(): Jobs & { lose(): void } {
  let offered = false;
  let held: AbortController | null = null;
  return {
    add: async () => !offered && (offered = true),
    async work({ signal }: { signal: AbortSignal }, handle: (job: Job) => Promise<void>) {
      while (!signal.aborted) {
        if (offered && !held) {
          const mine = (held = new AbortController());
          signal.addEventListener('abort', () => mine.abort());
          await handle({ signal: mine.signal } as Job).catch(() => {});
          if (held === mine) held = null;
          offered = false;
        }
        await new Promise(resolve => setTimeout(resolve, 1));
      }
    },
    lose: () => held?.abort(),
  } as unknown as Jobs & { lose(): void };
}

const untilAborted = (signal: AbortSignal): Promise<void> =>
  new Promise(resolve => (signal.aborted ? resolve() : signal.addEventListener('abort', () => resolve())));

test('one of two runs; when it stops the other takes over', async () => {
  const jobs = oneJob();
  const running: string[] = [];
  const contend = (name: string) => {
    const stop = new AbortController();
    const done = whileClaimed(jobs, { queue: 'q', lease: 4, signal: stop.signal }, async signal => {
      running.push(name);
      await untilAborted(signal);
      running.splice(running.indexOf(name), 1);
    });
    return { name, stop: () => (stop.abort(), done) };
  };
  const contenders = [contend('a'), contend('b')];
  await until(() => running.length === 1);
  const [first] = running;
  await contenders.find(({ name }) => name === first)!.stop();
  await until(() => running.length === 1);
  expect(running[0]).not.toBe(first);
  await Promise.all(contenders.map(({ stop }) => stop()));
  expect(running).toEqual([]);
});

test('whoever loses the claim stops, and may get it again', async () => {
  const jobs = oneJob();
  const stop = new AbortController();
  let runs = 0;
  const done = whileClaimed(jobs, { queue: 'q', lease: 4, signal: stop.signal }, signal => {
    runs++;
    return untilAborted(signal);
  });
  await until(() => runs === 1);
  jobs.lose();
  await until(() => runs === 2);
  stop.abort();
  await done;
});

test('the error of what was run ends the wait for another claim', async () => {
  const run = () => Promise.reject(new Error('wrong network'));
  const { signal } = new AbortController();
  await expect(whileClaimed(oneJob(), { queue: 'q', lease: 4, signal }, run)).rejects.toThrow(
    'wrong network',
  );
});
