import type { ChangedParts } from '../../contracts/ports/wake-ups';
import { createSessionWaits } from './session-changes';

/** Waits on subscriptions that the test notifies. */
function waits() {
  const subscribers = new Set<(parts: ChangedParts) => void>();
  const views = {
    subscribe: (_collection: string, onChange: (parts: ChangedParts) => void) => {
      subscribers.add(onChange);
      return () => void subscribers.delete(onChange);
    },
  };
  const wait = createSessionWaits(views);
  const over: string[] = [];
  return {
    subscribers,
    over,
    async notify(parts: ChangedParts) {
      for (const each of subscribers) each(parts);
      await new Promise(setImmediate);
    },
    wait: (key: string, signal = new AbortController().signal, timeoutMs = 60_000) =>
      wait(key, timeoutMs, signal).then(() => void over.push(key)),
  };
}

it('is woken by changes of its own session, and by those that nobody knows', async () => {
  const { wait, notify, over, subscribers } = waits();
  const waiting = ['a', 'a', 'b', 'c'].map(key => wait(key));
  expect(subscribers.size).toBe(1);
  await notify(new Set(['a', 'x']));
  expect(over).toEqual(['a', 'a']);
  await notify(new Set(['b', 'x', 'y']));
  expect(over).toEqual(['a', 'a', 'b']);
  await notify(null);
  await Promise.all(waiting);
  expect(subscribers.size).toBe(0);
});

it('ends with its time, and when its client leaves', async () => {
  const { wait, over, subscribers } = waits();
  const leaving = new AbortController();
  const waiting = [wait('a', leaving.signal), wait('b', undefined, 1)];
  leaving.abort();
  await Promise.all([...waiting, wait('c', leaving.signal)]);
  expect(over.sort()).toEqual(['a', 'b', 'c']);
  expect(subscribers.size).toBe(0);
});
