import { setImmediate as turn } from 'node:timers/promises';
import type { NewMessage } from '../../contracts/ports/log';
import type { Query } from '../../contracts/ports/documents';
import { removeOldObservations, type RemoveOldDeps } from './remove-old';

const NOW = Date.parse('2026-11-20T12:00:00Z');
const HOUR_MS = 3_600_000;
const weather = { kind: 'weather.now' };
const signal = new AbortController().signal;

/**
 * Subjects by how many hours ago they were observed, and a projection that folds what is published when somebody waits for a change.
 * @param onWait also happens then
 */
function fixture(
  hours: Readonly<Record<string, number>>,
  deps: Partial<RemoveOldDeps>,
  onWait: () => void = () => undefined,
) {
  const instant = (ago: number): string => new Date(NOW - ago * HOUR_MS).toISOString();
  const documents = new Map(Object.entries(hours).map(([_id, ago]) => [_id, { _id, at: instant(ago) }]));
  const published: NewMessage[] = [];
  let folded = 0;
  const views = {
    count: async () => documents.size,
    getMany: async (_collection: string, ids: readonly string[]) =>
      new Map(ids.flatMap(id => (documents.has(id) ? [[id, documents.get(id)!]] : []))),
    async find(_collection: string, { filter, limit }: Query) {
      const { lt } = (filter!['at'] ?? { lt: '9' }) as { lt: string };
      const found = [...documents.values()].filter(({ at }) => at < lt);
      return { documents: found.sort((a, b) => (a.at < b.at ? -1 : 1)).slice(0, limit), next: null };
    },
    async waitForChange() {
      await turn();
      for (const { key, value } of published.slice(folded))
        if (value.length === 0) documents.delete(key.replace('weather.now/', ''));
      folded = published.length;
      onWait();
    },
  };
  const log = {
    publish: async (_topic: string, messages: readonly NewMessage[]) => void published.push(...messages),
  };
  const all = { log, clock: () => new Date(NOW), maxAgeMs: Infinity, maxStored: Infinity, ...deps };
  return {
    documents,
    observe: (id: string, ago: number) => void documents.set(id, { _id: id, at: instant(ago) }),
    keys: () => published.map(({ key }) => key),
    remove: () =>
      removeOldObservations({ ...all, views: views as unknown as RemoveOldDeps['views'] }, weather, signal),
  };
}

it('removes what was observed longer ago than the age, each once', async () => {
  const { remove, keys, documents } = fixture({ rome: 25, oslo: 23, bonn: 30 }, { maxAgeMs: 24 * HOUR_MS });
  expect(await remove()).toBe(2);
  expect(keys()).toEqual(['weather.now/bonn', 'weather.now/rome']);
  expect([...documents.keys()]).toEqual(['oslo']);
  expect(await remove()).toBe(0);
});

it('removes the least recently observed of more than are stored, and no others', async () => {
  const { remove, keys } = fixture({ rome: 2, oslo: 4, bonn: 1, kyiv: 3 }, { maxStored: 2 });
  expect(await remove()).toBe(2);
  expect(keys()).toEqual(['weather.now/oslo', 'weather.now/kyiv']);
});

it('removes what is too old also where fewer are stored than may be', async () => {
  const { remove } = fixture({ rome: 25, oslo: 23 }, { maxAgeMs: 24 * HOUR_MS, maxStored: 2 });
  expect(await remove()).toBe(1);
});

it('removes nothing where there is neither an age nor a bound', async () => {
  const { remove, keys } = fixture({ rome: 1_000_000 }, {});
  expect(await remove()).toBe(0);
  expect(keys()).toEqual([]);
});

it('removes any number of subjects', async () => {
  const many = Object.fromEntries(Array.from({ length: 450 }, (_, n) => [`city ${n}`, 25 + n]));
  const { remove, documents } = fixture(many, { maxAgeMs: 24 * HOUR_MS });
  expect(await remove()).toBe(450);
  expect(documents.size).toBe(0);
});

it('leaves a subject that is observed again meanwhile', async () => {
  const { remove, documents, observe, keys } = fixture({ rome: 25 }, { maxAgeMs: 24 * HOUR_MS }, () =>
    observe('rome', 0),
  );
  expect(await remove()).toBe(1);
  expect(keys()).toHaveLength(1);
  expect(documents.has('rome')).toBe(true);
});
