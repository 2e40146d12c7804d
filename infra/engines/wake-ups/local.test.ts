import { createLocalWakeUps } from './local';
import { createPollingWakeUps } from './polling';

const FOREVER = 20_000;

test('an announcement wakes all who sleep on one of its names, and nobody else', async () => {
  const wakeUps = createLocalWakeUps();
  const woken: string[] = [];
  const a = wakeUps.changed(['a', 'z'], FOREVER).then(() => woken.push('a'));
  const b = wakeUps.changed(['b', 'a'], FOREVER).then(() => woken.push('b'));
  const c = wakeUps.changed(['c'], FOREVER).then(() => woken.push('c'));
  wakeUps.announce(['a']);
  await Promise.all([a, b]);
  wakeUps.announce(['c', 'b']);
  await c;
  expect(woken).toEqual(['a', 'b', 'c']);
});

test('what was announced before is slept through', async () => {
  const wakeUps = createLocalWakeUps();
  wakeUps.announce(['a']);
  const slept = await Promise.race([
    wakeUps.changed(['a'], 30).then(() => 'time-out'),
    new Promise(resolve => setImmediate(() => resolve('still asleep'))),
  ]);
  expect(slept).toBe('still asleep');
});

test('closing wakes everybody', async () => {
  const wakeUps = createLocalWakeUps();
  const asleep = [wakeUps.changed(['a'], FOREVER), wakeUps.changed(['b'], FOREVER)];
  await wakeUps.close();
  await Promise.all(asleep);
});

test('without word from other processes, a sleeper looks again after a while', async () => {
  await createPollingWakeUps(5).changed(['a'], FOREVER);
  const wakeUps = createPollingWakeUps(FOREVER);
  const asleep = wakeUps.changed(['a'], FOREVER);
  wakeUps.announce(['a']);
  await asleep;
});
