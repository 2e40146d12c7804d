import type { ChangedParts } from '../../contracts/ports/wake-ups';
import { keepLooking, type Look } from './keep-looking';

const SOURCE = { collection: 'rounds', part: 'mine' };

/**
 * Looks so many times over a double of the views.
 * @param during what happens in a look, by its number from 0
 * @returns how long it was waited for a change after each look, and of what
 */
async function run(looks: number, during: (look: number, change: (parts: ChangedParts) => void) => void) {
  const stop = new AbortController();
  const subscribers = new Set<(parts: ChangedParts) => void>();
  const waits: { readonly collections: readonly string[]; readonly timeoutMs: number }[] = [];
  const views: Parameters<typeof keepLooking>[0] = {
    async waitForChange(sources, timeoutMs) {
      waits.push({ collections: sources.map(({ collection }) => collection), timeoutMs });
      if (waits.length >= looks) stop.abort();
    },
    subscribe(_collection, onChange) {
      subscribers.add(onChange);
      return () => void subscribers.delete(onChange);
    },
  };
  const look = async (): Promise<Look> => {
    during(waits.length, parts => subscribers.forEach(notify => notify(parts)));
    return { isDone: true, sources: [SOURCE] };
  };
  await keepLooking(views, look, () => undefined, stop.signal);
  return { waits, subscribers: subscribers.size };
}

test('what changes during a look is looked at at once, since it may have been read before', async () => {
  const { waits, subscribers } = await run(3, (look, change) => look === 1 && change(new Set(['mine'])));
  const [first, changed, last] = waits.map(({ timeoutMs }) => timeoutMs);
  expect([first, last]).toEqual([60_000, 60_000]);
  expect(changed).toBeLessThan(1_000);
  expect(subscribers).toBe(0);
});

test('what changes of others during a look is not', async () => {
  const { waits } = await run(2, (look, change) => look === 1 && change(new Set(['of somebody else'])));
  expect(waits[1]).toEqual({ collections: ['rounds'], timeoutMs: 60_000 });
});

test('after a look that fails a change is looked at still', async () => {
  const { waits } = await run(3, look => {
    if (look === 1) throw new Error('503');
  });
  expect(waits.map(({ collections }) => collections)).toEqual([['rounds'], ['rounds'], ['rounds']]);
});
