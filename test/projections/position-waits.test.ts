import { setMaxListeners } from 'node:events';
import { join } from 'node:path';
import type { Documents } from '../../contracts/ports/documents';
import type { EventStore } from '../../contracts/ports/event-store';
import { openSqliteEventStore } from '../../infra/engines/event-store/sqlite/sqlite-event-store';
import { ledger } from './ledger';
import { dataFolder, paid, PROJECTING_TIMEOUT_MS, until, type DataFolder } from './program';

const READERS = 400;

let folder: DataFolder;
beforeEach(() => (folder = dataFolder()));
afterEach(() => folder.remove());

/** A program whose queries of positions are counted; the subscription of a projection is not one of them. */
function openCounted() {
  const counts = { queries: 0 };
  const store = openSqliteEventStore({ path: join(folder.path, 'events.db') });
  const documents = folder.documents();
  const counted =
    <Given extends readonly unknown[], Result>(query: (...given: Given) => Result) =>
    (...given: Given): Result => {
      counts.queries += 1;
      return query(...given);
    };
  const countedStore: EventStore = {
    ...store,
    head: counted(store.head),
    end: counted(store.end),
    readAll: counted(store.readAll),
  };
  const countedDocuments: Documents = { ...documents, checkpoint: counted(documents.checkpoint) };
  const program = folder.open({ projections: [ledger], store: countedStore, documents: countedDocuments });
  return { program, counts };
}

const pay = async ({ store }: { readonly store: EventStore }, account = 'a'): Promise<number> =>
  (await store.append(`account-${account}`, 'any', [paid(account, 1)])).position;

it('serves all who wait beside the runner from memory, without a query each', async () => {
  const { program, counts } = openCounted();
  program.start();
  await until(() => program.views.count('accounts').then(() => true));
  expect(await program.views.waitForPosition('accounts', await pay(program), PROJECTING_TIMEOUT_MS)).toBe(
    true,
  );
  counts.queries = 0;
  for (let i = 0; i < READERS / 4; i++) {
    const position = await pay(program);
    const waits = [position, position, position, position].map(each =>
      program.views.waitForPosition('accounts', each, PROJECTING_TIMEOUT_MS),
    );
    expect(await Promise.all(waits)).toEqual([true, true, true, true]);
    expect(await program.views.get('accounts', 'a')).toMatchObject({ total: i + 2 });
  }
  // Of waits that took longer than a look.
  expect(counts.queries).toBeLessThan(READERS / 2);
});

it('makes as many queries for many readers as for one, where another program folds', async () => {
  const { program, counts } = openCounted();
  const positions: number[] = [];
  for (let i = 0; i < READERS; i++) positions.push(await pay(program, `a-${i}`));
  const waits = positions.map(each => program.views.waitForPosition('accounts', each, PROJECTING_TIMEOUT_MS));
  await until(() => counts.queries > 20);
  const other = folder.open({ projections: [ledger] });
  const looks = counts.queries;
  expect(looks).toBeLessThan(READERS / 2);
  other.start();
  expect(new Set(await Promise.all(waits))).toEqual(new Set([true]));
  expect(await program.views.count('accounts')).toBe(READERS);
});

it('shows what commands recorded while many wait for it', async () => {
  const { program } = openCounted();
  program.start();
  const readOwn = async (client: number): Promise<void> => {
    for (let i = 1; i <= 10; i++) {
      const position = await pay(program, `c-${client}`);
      expect(await program.views.waitForPosition('accounts', position, PROJECTING_TIMEOUT_MS)).toBe(true);
      expect(await program.views.get('accounts', `c-${client}`)).toMatchObject({ total: i });
    }
  };
  await Promise.all(Array.from({ length: 50 }, (_, client) => readOwn(client)));
});

it.each([true, false])(
  'answers at once for a position that nothing was recorded at (runs here: %s)',
  async here => {
    const { program } = openCounted();
    if (here) program.start();
    const position = await pay(program);
    const hours = 3_600_000;
    expect(await program.views.waitForPosition('accounts', position + 1_000, hours)).toBe(false);
  },
);

it('answers at once when the projection stops', async () => {
  const { program } = openCounted();
  program.start();
  const { position } = await program.store.append('account-a', 'any', [{ ...paid('a', 1), type: 'Poison' }]);
  expect(await program.views.waitForPosition('accounts', position, 3_600_000)).toBe(false);
});

it('ends the waits of readers who have gone', async () => {
  const { program, counts } = openCounted();
  const position = await pay(program);
  const gone = new AbortController();
  setMaxListeners(0, gone.signal);
  const waits = Array.from({ length: READERS }, () =>
    program.views.waitForPosition('accounts', position, 3_600_000, gone.signal),
  );
  await until(() => counts.queries > 6);
  gone.abort();
  expect(new Set(await Promise.all(waits))).toEqual(new Set([false]));
  expect(await program.views.waitForPosition('accounts', position, 3_600_000, gone.signal)).toBe(false);
});
