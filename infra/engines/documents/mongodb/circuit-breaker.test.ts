import { MongoServerSelectionError, type TopologyDescription } from 'mongodb';
import { until } from '../../../../test/until';
import { type CircuitBreaker, createCircuitBreaker } from './circuit-breaker';

class NoServer extends MongoServerSelectionError {
  constructor(message: string) {
    super(message, {} as TopologyDescription);
  }
}

let breaker: CircuitBreaker;
afterEach(() => breaker?.close());

/** A circuit breaker whose pings the test resolves or rejects. */
const open = (unansweredMs = 60_000) => {
  let succeed: () => void = () => undefined;
  let fail: () => void = () => undefined;
  let pings = 0;
  const ping = () => {
    pings += 1;
    return new Promise<void>((resolve, reject) => {
      succeed = resolve;
      fail = () => reject(new NoServer('still none'));
    });
  };
  breaker = createCircuitBreaker(ping, unansweredMs);
  return { pings: () => pings, succeed: () => succeed(), fail: () => fail() };
};

const execute = <Result>(work: (signal: AbortSignal) => Promise<Result>) => breaker.execute(60_000, work);
const unavailable = async (): Promise<never> => {
  throw new NoServer('no server found');
};
const notToBeCalled = (): Promise<never> => {
  throw new Error('called while the circuit is open');
};
const nextTurn = () => new Promise(resolve => setTimeout(resolve, 0));

test('an operation may take as long as an election, and others are executed meanwhile', async () => {
  const { pings } = open();
  let elected: (value: string) => void = () => undefined;
  const waiting = execute(() => new Promise<string>(resolve => (elected = resolve)));
  expect(await execute(async () => 'from a secondary')).toBe('from a secondary');
  elected('from the new primary');
  expect(await waiting).toBe('from the new primary');
  expect(pings()).toBe(0);
});

test('while no server is available all operations fail at once, and one ping runs', async () => {
  const { pings } = open();
  await expect(execute(unavailable)).rejects.toThrow('no server found');
  for (let n = 0; n < 1_000; n++) await expect(execute(notToBeCalled)).rejects.toThrow('no server found');
  expect(pings()).toBe(1);
});

test('operations are executed again once a ping has succeeded, after any number of failed ones', async () => {
  const { pings, succeed, fail } = open();
  await expect(execute(unavailable)).rejects.toThrow(NoServer);
  fail();
  while (pings() < 2) await nextTurn();
  await expect(execute(notToBeCalled)).rejects.toThrow(NoServer);
  succeed();
  await nextTurn();
  expect(await execute(async () => 'result')).toBe('result');
});

test('other errors do not open the circuit', async () => {
  const { pings } = open();
  const failing = execute(() => Promise.reject(new TypeError('of the query')));
  await expect(failing).rejects.toThrow(TypeError);
  expect(await execute(async () => 'result')).toBe('result');
  expect(pings()).toBe(0);
});

const forever = () => new Promise<never>(() => undefined);

test('what runs on a server that answers no ping ends, is told so, and opens the circuit', async () => {
  const { succeed } = open(10);
  const signals: AbortSignal[] = [];
  const hanging = [1, 2].map(() =>
    execute(signal => {
      signals.push(signal);
      return forever();
    }),
  );
  for (const outcome of await Promise.allSettled(hanging)) {
    expect(outcome.status).toBe('rejected');
    expect((outcome as PromiseRejectedResult).reason).toMatchObject({
      name: 'EngineUnavailable',
      reason: 'MongoDB answered no ping within 6 ms',
    });
  }
  expect(signals.map(({ aborted }) => aborted)).toEqual([true, true]);
  await expect(execute(notToBeCalled)).rejects.toThrow('answered no ping');
  await until(() => {
    succeed();
    return execute(async () => true);
  });
});

test('what takes long on a server that answers goes on until its own time limit', async () => {
  let pings = 0;
  breaker = createCircuitBreaker(async () => void (pings += 1), 10);
  let finish: () => void = () => undefined;
  const slow = breaker.execute(null, () => new Promise<void>(resolve => (finish = resolve)));
  await until(() => pings > 3);
  finish();
  await slow;
  await expect(breaker.execute(1, forever)).rejects.toThrow('MongoDB did not answer within 1 ms');
});

test('while the probe of what a time limit has ended is not answered, what has the same probe fails at once', async () => {
  let answer: () => void = () => undefined;
  const probe = jest.fn(() => new Promise<void>(resolve => (answer = resolve)));
  breaker = createCircuitBreaker(async () => undefined, 10);
  const write = (work: () => Promise<boolean>) => breaker.execute(60_000, work, probe);
  await Promise.allSettled([1, 2, 3].map(() => breaker.execute(1, forever, probe)));
  const refused = await until(() => write(async () => true).then(() => null, String));
  expect(refused).toMatch('MongoDB did not answer within 1 ms');
  await expect(write(notToBeCalled)).rejects.toThrow('did not answer');
  expect(await breaker.execute(60_000, async () => 'a read', jest.fn())).toBe('a read');
  const asked = probe.mock.calls.length;
  await until(() => probe.mock.calls.length > asked);
  await until(() => {
    answer();
    return write(async () => true);
  });
});

test('what was only slow has others go on', async () => {
  let isProbed = false;
  breaker = createCircuitBreaker(async () => undefined, 60_000);
  const probe = async (): Promise<void> => void (isProbed = true);
  await expect(breaker.execute(1, forever, probe)).rejects.toThrow('did not answer within 1 ms');
  for (let n = 0; n < 100 || !isProbed; n++)
    expect(await breaker.execute(60_000, async () => n, probe)).toBe(n);
});
