import { EngineAccessDenied } from '../../../contracts/engine/engine-access-denied';
import { EngineBusy, EngineUnavailable } from '../../../contracts/engine/engine-unavailable';
import type { Engines } from '../../engines/engines';
import { reportEngineOutages, reportOutages } from './outages';

interface Port {
  read(): Promise<number>;
  write(): Promise<number>;
  list(): AsyncIterable<number>;
}

/** Calls end as the test says, in the order in which they began. */
const watched = () => {
  let now = 0;
  const pending: { resolve: (value: number) => void; reject: (error: Error) => void }[] = [];
  const lines: unknown[] = [];
  const log = (...line: unknown[]) => void lines.push(line);
  const call = () => new Promise<number>((resolve, reject) => void pending.push({ resolve, reject }));
  const given: Port = {
    read: call,
    write: call,
    async *list() {
      yield await call();
    },
  };
  const calls = { reads: ['read', 'list'], writes: ['write'] } as const;
  const engine = reportOutages('documents', given, calls, { error: log, warn: log }, () => now);
  return {
    engine,
    lines,
    pass: (ms: number) => void (now += ms),
    answer: () => pending.shift()!.resolve(7),
    fail: (error: Error = new EngineUnavailable('documents', 'no server')) => pending.shift()!.reject(error),
  };
};

const settled = (call: Promise<unknown>) => call.catch(() => undefined);

const START = [{ engine: 'documents', reason: 'no server' }, 'engine does not answer'];

it('an outage is one line at its start, and one with counts at its end', async () => {
  const { engine, lines, pass, answer, fail } = watched();
  for (let call = 0; call < 3; call++) {
    const failing = settled(engine.read());
    fail();
    await failing;
    pass(4_000);
  }
  expect(lines).toEqual([START]);
  const answered = engine.read();
  answer();
  expect(await answered).toBe(7);
  const end = [{ engine: 'documents', failedCalls: 3, seconds: 12 }, 'engine answers again'];
  expect(lines).toEqual([START, end]);

  const reading = settled(
    (async () => {
      for await (const _ of engine.list());
    })(),
  );
  fail();
  await reading;
  expect(lines).toEqual([START, end, START]);
});

it('what began before a failure does not end the outage', async () => {
  const { engine, lines, pass, answer, fail } = watched();
  const failing = settled(engine.read());
  const early = engine.read();
  pass(1);
  fail();
  await failing;
  pass(1);
  answer();
  await early;
  expect(lines).toEqual([START]);
});

it('an engine that refuses writes alone, as with a full disk, has one outage, however often it is read', async () => {
  const { engine, lines, answer, fail } = watched();
  for (let call = 0; call < 3; call++) {
    const failing = settled(engine.write());
    fail();
    await failing;
    const reading = engine.read();
    answer();
    await reading;
  }
  expect(lines).toEqual([START]);
  const written = engine.write();
  answer();
  await written;
  expect(lines).toEqual([
    START,
    [{ engine: 'documents', failedCalls: 3, seconds: 0 }, 'engine answers again'],
  ]);
});

it.each([
  ['a bug', new Error('a bug'), 0],
  ['another engine', new EngineUnavailable('jobs', 'no server'), 0],
  ['a caller who has asked for too much', new EngineBusy('documents', 'too many reads wait'), 0],
  ['credentials that are refused', new EngineAccessDenied('documents', 'wrong password'), 1],
])('of %s there are so many lines', async (_what, error, count) => {
  const { engine, lines, fail } = watched();
  const failing = settled(engine.read());
  fail(error);
  await failing;
  expect(lines).toHaveLength(count);
});

it('each engine of a process has outages of its own', async () => {
  const failing = (engine: EngineUnavailable['engine']) =>
    new Proxy(
      {},
      {
        ownKeys: () => [],
        get: () => () => Promise.reject(new EngineUnavailable(engine, 'no server')),
      },
    );
  const documents = failing('documents');
  const engines = {
    store: failing('event store'),
    log: failing('log'),
    documents,
    vault: documents,
    jobs: failing('jobs'),
  } as unknown as Engines;
  const lines: unknown[] = [];
  const log = (line: unknown) => void lines.push(line);
  const {
    store,
    log: topics,
    documents: read,
    vault,
    jobs,
  } = reportEngineOutages(engines, { error: log, warn: log });
  for (let call = 0; call < 2; call++) {
    await settled(store.head());
    await settled(topics.endOffsets('t'));
    await settled(read.get('c', '1'));
    await settled(vault.get('c', '1'));
    await settled(jobs.counts('q'));
  }
  expect(lines).toEqual(
    ['event store', 'log', 'documents', 'jobs'].map(engine => ({ engine, reason: 'no server' })),
  );
});
