import { pino } from 'pino';
import { EngineUnavailable } from '../../contracts/engine/engine-unavailable';
import { until } from '../../test/until';
import { supervise } from './supervise';

const logger = pino({ level: 'silent' });
let stopping: AbortController;
beforeEach(() => {
  stopping = new AbortController();
});
afterEach(() => stopping.abort());

const untilStopped = () =>
  new Promise<void>(resolve => stopping.signal.addEventListener('abort', () => resolve()));

test('work whose engine is unavailable at the start is restarted until it is available, and says so meanwhile', async () => {
  let down = true;
  let starts = 0;
  let working = false;
  const { done, unavailable } = supervise(
    async () => {
      starts += 1;
      if (down) throw new EngineUnavailable('documents', 'no server answered');
      working = true;
      await untilStopped();
    },
    { logger, signal: stopping.signal, runningAfterMs: 500 },
  );
  expect(unavailable()).toBeNull();
  await until(() => starts >= 3);
  expect(unavailable()).toBe('documents: not available: no server answered');
  down = false;
  await until(() => working);
  await until(() => unavailable() === null);
  stopping.abort();
  await done;
});

test('an error that only an operator can fix ends it', async () => {
  const { done } = supervise(() => Promise.reject(new Error('another chain')), {
    logger,
    signal: stopping.signal,
  });
  await expect(done).rejects.toThrow('another chain');
});
