import { WrongNetwork } from '../../contracts/network/wrong-network';
import { createFailover, type FailoverOptions } from './failover';

function failover(options: Partial<FailoverOptions<string>> = {}) {
  return createFailover({
    endpoints: ['a', 'b'],
    backoffMs: 1,
    signal: new AbortController().signal,
    ...options,
  });
}
/** A call that fails on the given endpoints, and the endpoints that it was made to. */
function callFailingOn(...bad: readonly string[]) {
  const called: string[] = [];
  const call = async (endpoint: string): Promise<string> => {
    called.push(endpoint);
    if (bad.includes(endpoint)) throw new Error(`${endpoint} failed`);
    return endpoint;
  };
  return { called, call };
}

test('the next endpoint is used when one fails, and stays in use', async () => {
  const { run } = failover();
  const { called, call } = callFailingOn('a');
  expect([await run(call), await run(call)]).toEqual(['b', 'b']);
  expect(called).toEqual(['a', 'b', 'b']);
});

test('an endpoint is passed over once, by however many calls', async () => {
  const { run, passOver } = failover();
  const { call } = callFailingOn();
  for (const endpoint of await Promise.all([run(call), run(call)])) passOver(endpoint);
  expect(await run(call)).toBe('b');
});

test('a call is given up after a bounded number of attempts', async () => {
  const failures: string[] = [];
  const { run } = failover({ attempts: 3, onFailure: endpoint => failures.push(endpoint) });
  const { called, call } = callFailingOn('a', 'b');
  await expect(run(call)).rejects.toThrow('a failed');
  expect(called).toEqual(['a', 'b', 'a']);
  expect(failures).toEqual(called);
});

test('a refusal fails the call at once and keeps the endpoint in use', async () => {
  const { run } = failover({ isRefusal: error => error.message === 'a failed' });
  const { called, call } = callFailingOn('a');
  await expect(run(call)).rejects.toThrow('a failed');
  await expect(run(call)).rejects.toThrow('a failed');
  expect(called).toEqual(['a', 'a']);
});

test('a failure that may be of the call is tried on the next endpoint, and opens no circuit breaker', async () => {
  const failures: string[] = [];
  const { run } = failover({
    attempts: 2,
    mayBeOfCall: error => error.message.endsWith('failed'),
    onFailure: endpoint => failures.push(endpoint),
  });
  const bad = callFailingOn('a', 'b');
  for (let calls = 0; calls < 20; calls++) await expect(run(bad.call)).rejects.toThrow('failed');
  expect(bad.called).toHaveLength(40);
  expect(new Set(bad.called)).toEqual(new Set(['a', 'b']));
  expect(failures).toEqual([]);
  expect(await run(callFailingOn('a').call)).toBe('b');
});

test('an endpoint that fails many times in a row is skipped, until it is tried again', async () => {
  jest.useFakeTimers();
  try {
    const { run } = failover({ endpoints: ['a'], attempts: 1 });
    const bad = callFailingOn('a');
    for (let calls = 0; calls < 8; calls++) await expect(run(bad.call)).rejects.toThrow('a failed');
    await expect(run(bad.call)).rejects.toThrow('a failed');
    expect(bad.called).toHaveLength(8);
    await jest.advanceTimersByTimeAsync(2_000);
    expect(await run(callFailingOn().call)).toBe('a');
    expect(await run(callFailingOn().call)).toBe('a');
  } finally {
    jest.useRealTimers();
  }
});

test('what is asked of an endpoint that is not called fails for the reason for which it is not, and is no failure of it', async () => {
  const failures: string[] = [];
  const answers: string[] = [];
  const { run } = failover({
    endpoints: ['a'],
    attempts: 1,
    onFailure: (_, { message }) => failures.push(message),
    onAnswer: endpoint => answers.push(endpoint),
  });
  const bad = callFailingOn('a');
  for (let calls = 0; calls < 20; calls++) await expect(run(bad.call)).rejects.toThrow('a failed');
  expect(failures).toEqual(bad.called.map(() => 'a failed'));
  expect(bad.called.length).toBeLessThan(20);
  expect(answers).toEqual([]);
  const other = failover({ onAnswer: endpoint => answers.push(endpoint) });
  await other.run(callFailingOn('a').call);
  expect(answers).toEqual(['b']);
});

test('an endpoint that many calls have failed on is tried again after a while when another fails', async () => {
  jest.useFakeTimers();
  try {
    const { run } = failover();
    const burst = Array.from({ length: 8 }, () => run(callFailingOn('a').call));
    await jest.advanceTimersByTimeAsync(1_000); // the back-off
    expect(new Set(await Promise.all(burst))).toEqual(new Set(['b']));
    await jest.advanceTimersByTimeAsync(2_000);
    const { called, call } = callFailingOn('b');
    const answer = run(call).catch(String);
    await jest.advanceTimersByTimeAsync(10_000); // the back-off
    expect([await answer, called]).toEqual(['a', ['b', 'a']]);
  } finally {
    jest.useRealTimers();
  }
});

test('an endpoint of another network is asked again at each call, so that it is used once it is right', async () => {
  const { run } = failover({ endpoints: ['a'], attempts: 1 });
  const wrong = (): Promise<never> => Promise.reject(new WrongNetwork('a serves another'));
  for (let calls = 0; calls < 20; calls++) await expect(run(wrong)).rejects.toThrow(WrongNetwork);
  expect(await run(callFailingOn().call)).toBe('a');
});

test('no more calls run at once than allowed', async () => {
  const { run } = failover({ maxConcurrent: 2 });
  let running = 0;
  let max = 0;
  await Promise.all(
    Array.from({ length: 6 }, () =>
      run(async () => {
        max = Math.max(max, ++running);
        await new Promise(resolve => setImmediate(resolve));
        running--;
      }),
    ),
  );
  expect(max).toBe(2);
});

test('the signal ends the retries', async () => {
  const stop = new AbortController();
  const { run } = failover({ signal: stop.signal });
  const calls: string[] = [];
  await expect(
    run(endpoint => {
      calls.push(endpoint);
      stop.abort();
      return Promise.reject(new Error('failed'));
    }),
  ).rejects.toThrow('failed');
  expect(calls).toHaveLength(1);
  await expect(run(async () => 'a')).rejects.toThrow();
});

test('at least one endpoint is needed', () => {
  expect(() => failover({ endpoints: [] })).toThrow('at least one URL');
});

test('an endpoint that asks for a pause is not called before it ends, and others meanwhile', async () => {
  jest.useFakeTimers();
  try {
    const pauseMs = () => 5_000;
    const two = failover({ pauseMs });
    const { called, call } = callFailingOn('a');
    const first = two.run(call);
    await jest.advanceTimersByTimeAsync(1_000); // the back-off
    expect(await first).toBe('b');
    two.useNext(); // to the paused one
    expect(await two.run(call)).toBe('b');
    expect(called).toEqual(['a', 'b', 'b']);

    const one = failover({ endpoints: ['a'], attempts: 1, pauseMs });
    await expect(one.run(callFailingOn('a').call)).rejects.toThrow('a failed');
    const later = callFailingOn();
    const answer = one.run(later.call);
    await jest.advanceTimersByTimeAsync(4_999);
    expect(later.called).toEqual([]);
    await jest.advanceTimersByTimeAsync(1);
    expect(await answer).toBe('a');
  } finally {
    jest.useRealTimers();
  }
});

test('a pause that an endpoint asked for is not ended by a call that was under way and fails without one', async () => {
  jest.useFakeTimers();
  try {
    const { run } = failover({
      endpoints: ['a'],
      attempts: 1,
      pauseMs: error => (error.message === 'too many calls' ? 5_000 : null),
    });
    const slow = run(async () => {
      await new Promise(resolve => setTimeout(resolve, 1_000));
      throw new Error('reset');
    }).catch(String);
    await expect(run(() => Promise.reject(new Error('too many calls')))).rejects.toThrow();
    await jest.advanceTimersByTimeAsync(1_000);
    expect(await slow).toBe('Error: reset');
    const later = callFailingOn();
    const answer = run(later.call);
    await jest.advanceTimersByTimeAsync(3_999);
    expect(later.called).toEqual([]);
    await jest.advanceTimersByTimeAsync(1);
    expect(await answer).toBe('a');
  } finally {
    jest.useRealTimers();
  }
});
