import { EngineUnavailable } from '../../../contracts/engine/engine-unavailable';
import type { EventStore } from '../../../contracts/ports/event-store';
import type { Engines } from '../../engines/engines';
import { reportOutages } from './outages';

/** Calls of `head` end as the test says, in the order in which they began. */
const watched = () => {
  let now = 0;
  const pending: { resolve: (head: number) => void; reject: (error: Error) => void }[] = [];
  const lines: unknown[] = [];
  const log = (...line: unknown[]) => void lines.push(line);
  const store = {
    head: () => new Promise<number>((resolve, reject) => void pending.push({ resolve, reject })),
    async *readStream() {
      yield await store.head();
    },
  } as unknown as EventStore;
  const engines = reportOutages({ store } as Engines, { error: log, warn: log }, () => now);
  return {
    store: engines.store,
    lines,
    pass: (ms: number) => void (now += ms),
    answer: () => pending.shift()!.resolve(7),
    fail: () => pending.shift()!.reject(new EngineUnavailable('event store', 'connection refused')),
  };
};

const settled = (call: Promise<unknown>) => call.catch(() => undefined);

const START = [{ reason: 'connection refused' }, 'event store does not answer'];

it('an outage is one line at its start, and one with counts at its end', async () => {
  const { store, lines, pass, answer, fail } = watched();
  for (let call = 0; call < 3; call++) {
    const failing = settled(store.head());
    fail();
    await failing;
    pass(4_000);
  }
  expect(lines).toEqual([START]);
  const answered = store.head();
  answer();
  expect(await answered).toBe(7);
  const end = [{ failedCalls: 3, seconds: 12 }, 'event store answers again'];
  expect(lines).toEqual([START, end]);

  const reading = settled(
    (async () => {
      for await (const _ of store.readStream('s-1'));
    })(),
  );
  fail();
  await reading;
  expect(lines).toEqual([START, end, START]);
});

it('what began before a failure does not end the outage', async () => {
  const { store, lines, pass, answer, fail } = watched();
  const failing = settled(store.head());
  const early = store.head();
  pass(1);
  fail();
  await failing;
  pass(1);
  answer();
  await early;
  expect(lines).toEqual([START]);
});

it('other errors are no outage', async () => {
  const { lines } = watched();
  const store = { head: () => Promise.reject(new Error('a bug')) } as unknown as EventStore;
  const log = (...line: unknown[]) => void lines.push(line);
  await settled(reportOutages({ store } as Engines, { error: log, warn: log }).store.head());
  expect(lines).toEqual([]);
});
