import type { Checkpoint } from '../contracts/ports/documents';
import { InMemoryDocuments } from '../test/doubles/documents';
import { until } from '../test/until';
import { type LeaseOptions, leases } from './lease';

/** Lasts longer than any test. */
const LASTING: LeaseOptions = { leaseMs: 600_000, renewMs: 10 };
const EXPIRING = { leaseMs: 100 };

const untilAborted = (signal: AbortSignal): Promise<void> =>
  new Promise(resolve => (signal.aborted ? resolve() : signal.addEventListener('abort', () => resolve())));

/** A process that runs something under the lease once it holds it; `running` lists those that do. */
function contender(documents: InMemoryDocuments, running: string[], name: string, options = LASTING) {
  const stop = new AbortController();
  const done = leases(documents, options).runExclusively(
    'tail',
    async signal => {
      running.push(name);
      await untilAborted(signal);
      running.splice(running.indexOf(name), 1);
    },
    stop.signal,
  );
  return { name, stop: () => (stop.abort(), done) };
}

test('one of two runs; when it stops the other takes over', async () => {
  const documents = new InMemoryDocuments();
  const running: string[] = [];
  const contenders = ['a', 'b'].map(name => contender(documents, running, name));
  await until(() => running.length === 1);
  const [first] = running;
  await contenders.find(({ name }) => name === first)!.stop();
  await until(() => running.length === 1);
  expect(running[0]).not.toBe(first);
  await Promise.all(contenders.map(({ stop }) => stop()));
  expect(running).toEqual([]);
});

test('what runs may wait for many things at a time, and nothing is printed', async () => {
  const stop = new AbortController();
  const printed = jest.spyOn(process, 'emitWarning').mockImplementation();
  let isRunning = false;
  const done = leases(new InMemoryDocuments(), LASTING).runExclusively(
    'pools',
    async signal => {
      const waits = Array.from({ length: 30 }, () => untilAborted(signal));
      isRunning = true;
      await Promise.all(waits);
    },
    stop.signal,
  );
  await until(() => isRunning);
  stop.abort();
  await done;
  expect(printed).not.toHaveBeenCalled();
});

test('a holder that renews keeps the lease; that of a crashed holder is taken over', async () => {
  const documents = new InMemoryDocuments();
  const name = 'lease/tail';
  let n = 0;
  const renew = (): Promise<void> =>
    documents.commit({ writes: [], checkpoint: { name, value: { offsets: { another: n++ } } } });
  await renew();
  const read = documents.checkpoint.bind(documents);
  // However long this process is not scheduled, the holder has renewed between two reads.
  const reads = jest.spyOn(documents, 'checkpoint').mockImplementation(async checkpoint => {
    await renew();
    return read(checkpoint);
  });
  const running: string[] = [];
  const began = performance.now();
  const waiting = contender(documents, running, 'a', EXPIRING);
  await until(() => performance.now() - began > 3 * EXPIRING.leaseMs && reads.mock.calls.length > 20);
  expect(running).toEqual([]);
  reads.mockRestore();
  await until(() => running.length === 1);
  await waiting.stop();
});

test('a holder that loses the lease stops, and may acquire it again', async () => {
  const documents = new InMemoryDocuments();
  const running: string[] = [];
  const holder = contender(documents, running, 'a');
  await until(() => running.length === 1);
  const store = (value: Checkpoint): Promise<void> =>
    documents.commit({ writes: [], checkpoint: { name: 'lease/tail', value } });
  await store({ offsets: { another: 0 } });
  await until(() => running.length === 0);
  await store({ position: 0 });
  await until(() => running.length === 1);
  await holder.stop();
});

test('a holder that cannot renew stops before another may take over, and resumes at once when it can', async () => {
  const documents = new InMemoryDocuments();
  const running: string[] = [];
  const holder = contender(documents, running, 'a', EXPIRING);
  await until(() => running.length === 1);
  const commit = jest.spyOn(documents, 'commit').mockRejectedValue(new Error('unavailable'));
  await until(() => running.length === 0);
  const reads = jest.spyOn(documents, 'checkpoint');
  const starts = jest.spyOn(running, 'push');
  commit.mockRestore();
  await until(() => starts.mock.calls.length > 0);
  // It need not wait for its own lease to expire.
  const [started] = starts.mock.invocationCallOrder;
  expect(reads.mock.invocationCallOrder.filter(order => order < started!).length).toBeLessThanOrEqual(2);
  await holder.stop();
});

test('a holder whose renewal hangs stops too', async () => {
  const documents = new InMemoryDocuments();
  const running: string[] = [];
  const holder = contender(documents, running, 'a', EXPIRING);
  await until(() => running.length === 1);
  let acknowledge = (): void => undefined;
  const commit = jest
    .spyOn(documents, 'commit')
    .mockImplementation(() => new Promise<void>(resolve => (acknowledge = resolve)));
  await until(() => running.length === 0);
  commit.mockRestore();
  acknowledge();
  await holder.stop();
});

test('a renewal that was stored but not acknowledged does not lose the lease', async () => {
  const documents = new InMemoryDocuments();
  const running: string[] = [];
  const holder = contender(documents, running, 'a');
  await until(() => running.length === 1);
  const commit = documents.commit.bind(documents);
  const spy = jest.spyOn(documents, 'commit').mockImplementationOnce(async write => {
    await commit(write);
    throw new Error('the connection broke');
  });
  const stored = await documents.checkpoint('lease/tail');
  await until(() => spy.mock.calls.length >= 3);
  expect(running).toEqual(['a']);
  expect(Object.keys((await documents.checkpoint('lease/tail')) ?? {})).toEqual(Object.keys(stored!));
  await holder.stop();
});

test('the error of what was run is thrown, and the lease is released', async () => {
  const documents = new InMemoryDocuments();
  const { signal } = new AbortController();
  const run = () => Promise.reject(new Error('wrong network'));
  await expect(leases(documents, LASTING).runExclusively('tail', run, signal)).rejects.toThrow(
    'wrong network',
  );
  expect(await documents.checkpoint('lease/tail')).toEqual({ position: 0 });
});
