import { pino } from 'pino';
import { EngineUnavailable } from '../../../contracts/engine-unavailable';
import { until } from '../../../test/until';
import { endure } from './endure';

const logger = pino({ level: 'silent' });
let stopping: AbortController;
beforeEach(() => {
  stopping = new AbortController();
});
afterEach(() => stopping.abort());

const untilStopped = () =>
  new Promise<void>(resolve => stopping.signal.addEventListener('abort', () => resolve()));

test('work whose engine is away when it begins is begun again until it is there, and says so meanwhile', async () => {
  let away = true;
  let begun = 0;
  let working = false;
  const { done, held } = endure(
    async () => {
      begun += 1;
      if (away) throw new EngineUnavailable('documents', 'no server answered');
      working = true;
      await untilStopped();
    },
    { logger, signal: stopping.signal },
  );
  expect(held()).toBeNull();
  await until(() => begun >= 3);
  expect(held()).toBe('documents: not available: no server answered');
  away = false;
  await until(() => working);
  await until(() => held() === null);
  stopping.abort();
  await done;
});

test('what only an operator can mend ends it', async () => {
  const { done } = endure(() => Promise.reject(new Error('another chain')), {
    logger,
    signal: stopping.signal,
  });
  await expect(done).rejects.toThrow('another chain');
});
