import { type CircuitBreaker, createCircuitBreaker } from './circuit-breaker';

class NoServer extends Error {}

let breaker: CircuitBreaker;
afterEach(() => breaker?.close());

/** A circuit breaker whose probes the test resolves or rejects. */
const open = () => {
  let succeed: () => void = () => undefined;
  let fail: () => void = () => undefined;
  let probes = 0;
  breaker = createCircuitBreaker(
    () => {
      probes += 1;
      return new Promise<void>((resolve, reject) => {
        succeed = resolve;
        fail = () => reject(new NoServer('still none'));
      });
    },
    error => error instanceof NoServer,
  );
  return { probes: () => probes, succeed: () => succeed(), fail: () => fail() };
};

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
  const waiting = breaker.execute(() => new Promise<string>(resolve => (elected = resolve)));
  expect(await breaker.execute(async () => 'from a secondary')).toBe('from a secondary');
  elected('from the new primary');
  expect(await waiting).toBe('from the new primary');
  expect(probes()).toBe(0);
});

test('while no server is available all operations fail at once, and one probe runs', async () => {
  const { probes } = open();
  await expect(breaker.execute(unavailable)).rejects.toThrow('no server found');
  for (let n = 0; n < 1_000; n++)
    await expect(breaker.execute(notToBeCalled)).rejects.toThrow('no server found');
  expect(probes()).toBe(1);
});

test('operations are executed again once a probe has succeeded, after any number of failed ones', async () => {
  const { probes, succeed, fail } = open();
  await expect(breaker.execute(unavailable)).rejects.toThrow(NoServer);
  fail();
  while (probes() < 2) await nextTurn();
  await expect(breaker.execute(notToBeCalled)).rejects.toThrow(NoServer);
  succeed();
  await nextTurn();
  expect(await breaker.execute(async () => 'result')).toBe('result');
});

test('other errors do not open the circuit', async () => {
  const { probes } = open();
  const failing = breaker.execute(() => Promise.reject(new TypeError('of the query')));
  await expect(failing).rejects.toThrow(TypeError);
  expect(await breaker.execute(async () => 'result')).toBe('result');
  expect(probes()).toBe(0);
});
