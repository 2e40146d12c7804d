import { until } from '../../../../test/until';
import { type CircuitBreaker, createCircuitBreaker } from './circuit-breaker';

class NoServer extends Error {}

let breaker: CircuitBreaker;
afterEach(() => breaker?.close());

/** A circuit breaker whose probes the test resolves or rejects. */
const open = () => {
  let succeed: () => void = () => undefined;
  let fail: () => void = () => undefined;
  let probes = 0;
  const probe = () => {
    probes += 1;
    return new Promise<void>((resolve, reject) => {
      succeed = resolve;
      fail = () => reject(new NoServer('still none'));
    });
  };
  breaker = createCircuitBreaker(probe, NoServer);
  return { probes: () => probes, succeed: () => succeed(), fail: () => fail() };
};

const execute = <Result>(work: () => Promise<Result>) => breaker.execute(60_000, work);
const unavailable = async (): Promise<never> => {
  throw new NoServer('no server found');
};
const notToBeCalled = (): Promise<never> => {
  throw new Error('called while the circuit is open');
};
const nextTurn = () => new Promise(resolve => setTimeout(resolve, 0));

test('an operation may take as long as an election, and others are executed meanwhile', async () => {
  const { probes } = open();
  let elected: (value: string) => void = () => undefined;
  const waiting = execute(() => new Promise<string>(resolve => (elected = resolve)));
  expect(await execute(async () => 'from a secondary')).toBe('from a secondary');
  elected('from the new primary');
  expect(await waiting).toBe('from the new primary');
  expect(probes()).toBe(0);
});

test('while no server is available all operations fail at once, and one probe runs', async () => {
  const { probes } = open();
  await expect(execute(unavailable)).rejects.toThrow('no server found');
  for (let n = 0; n < 1_000; n++) await expect(execute(notToBeCalled)).rejects.toThrow('no server found');
  expect(probes()).toBe(1);
});

test('operations are executed again once a probe has succeeded, after any number of failed ones', async () => {
  const { probes, succeed, fail } = open();
  await expect(execute(unavailable)).rejects.toThrow(NoServer);
  fail();
  while (probes() < 2) await nextTurn();
  await expect(execute(notToBeCalled)).rejects.toThrow(NoServer);
  succeed();
  await nextTurn();
  expect(await execute(async () => 'result')).toBe('result');
});

test('other errors do not open the circuit', async () => {
  const { probes } = open();
  const failing = execute(() => Promise.reject(new TypeError('of the query')));
  await expect(failing).rejects.toThrow(TypeError);
  expect(await execute(async () => 'result')).toBe('result');
  expect(probes()).toBe(0);
});

const forever = () => new Promise<never>(() => undefined);

test('what its time limit ends is told so, and opens the circuit when the probe fails', async () => {
  const { probes, succeed, fail } = open();
  const signals: AbortSignal[] = [];
  const work = (signal: AbortSignal) => {
    signals.push(signal);
    return forever();
  };
  const hanging = await Promise.allSettled([1, 2].map(() => breaker.execute(1, work)));
  for (const outcome of hanging)
    expect(outcome).toMatchObject({ reason: { reason: 'the server did not answer within 1 ms' } });
  expect(signals.map(({ aborted }) => aborted)).toEqual([true, true]);
  expect(probes()).toBe(1);
  fail();
  await nextTurn();
  await expect(execute(notToBeCalled)).rejects.toThrow('did not answer within 1 ms');
  await until(() => {
    succeed();
    return execute(async () => true);
  });
});

test('what was only slow has others go on', async () => {
  const { probes, succeed } = open();
  await expect(breaker.execute(1, forever)).rejects.toThrow('did not answer within 1 ms');
  expect(probes()).toBe(1);
  expect(await execute(async () => 'during the probe')).toBe('during the probe');
  succeed();
  await nextTurn();
  expect(await execute(async () => 'after it')).toBe('after it');
});
