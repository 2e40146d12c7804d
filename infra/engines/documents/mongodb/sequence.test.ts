import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Db } from 'mongodb';
import { openSequence } from './sequence';

/** A double of an empty database, whose increments are atomic or not. */
function emptyDatabase({ isAtomic = true } = {}): Db {
  let stored = 0;
  const collection = {
    updateOne: async (_filter: object, { $max }: { $max: { value: number } }) => {
      stored = Math.max(stored, $max.value);
    },
    findOneAndUpdate: async () => {
      const read = stored;
      if (!isAtomic) await nextTurn();
      stored = read + 1;
      return { value: stored };
    },
  };
  return { collection: () => collection } as unknown as Db;
}

test('all clients get different numbers', async () => {
  const database = emptyDatabase();
  const clients = await Promise.all([openSequence(database), openSequence(database)]);
  const numbers = await Promise.all(Array.from({ length: 10 }, (_, n) => clients[n % 2]!.next()));
  expect(new Set(numbers).size).toBe(10);
});

test('numbers in an empty database are higher than all that the lost one gave before', async () => {
  const lost = await openSequence(emptyDatabase(), () => 1_000_000);
  const last = await lost.next();
  const restored = await openSequence(emptyDatabase(), () => 1_000_001);
  expect(await restored.next()).toBeGreaterThan(last);
});

test('a server whose updates are not atomic is refused, and named', async () => {
  const opened = openSequence(emptyDatabase({ isAtomic: false }));
  await expect(opened).rejects.toThrow(/^MONGODB_URL: the server does not update a document atomically/);
  await expect(opened).rejects.toMatchObject({ name: 'CannotOpen', setting: 'MONGODB_URL' });
});
