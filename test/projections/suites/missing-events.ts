import type { EventStore, SubscribeOptions } from '../../../contracts/ports/event-store';
import { ProjectionIncomplete } from '../../../projections/unreadable';
import { ledger } from '../ledger';
import { type DataFolder, paid, until, type Program } from '../program';

let folder: DataFolder;
const { signal } = new AbortController();

/** Makes the subscriptions a double that passes over payments of an amount, as those of a server passed over events. */
function passOver(store: EventStore, amount: number): void {
  const { subscribe } = store;
  store.subscribe = async function* (options: SubscribeOptions) {
    for await (const { events, position } of subscribe(options))
      yield { events: events.filter(({ data }) => data['amount'] !== amount), position };
  };
}

/** The program has folded all of the store, or what its subscription delivers of it. */
const folded = async ({ store, views }: Program): Promise<void> => {
  expect(await views.waitForPosition('accounts', await store.head(), 60_000)).toBe(true);
};

const pay = async ({ store }: Program, ...amounts: readonly number[]): Promise<void> => {
  for (const amount of amounts) {
    await store.append('account-a', 'any', [paid('a', amount)]);
    await store.append('watch-x', 'any', [paid('x', amount)]);
  }
};

const total = async ({ views }: Program): Promise<unknown> => (await views.get('accounts', 'a'))?.['total'];

/** Contract of finding what a projection has not folded, on any documents adapter. */
export function describeMissingEvents(
  adapter: string,
  openFolder: () => DataFolder | Promise<DataFolder>,
): void {
  describe(`events that a projection has not folded, on documents in ${adapter}`, () => {
    beforeEach(async () => {
      folder = await openFolder();
    });
    afterEach(() => folder.remove());

    /** Records 1, 2 and 4, of which the projection has folded all but 2, in a program that is stopped. */
    const lose = async (): Promise<void> => {
      const program = folder.open({ projections: [ledger] });
      passOver(program.store, 2);
      program.start();
      await pay(program, 1);
      await folded(program);
      await until(async () => (await program.engine.status())[0]!.state === 'live');
      await pay(program, 2, 4);
      await folded(program);
      expect(await total(program)).toBe(5);
      await program.stop();
    };

    it('are found at the next start: its reads are refused, and a rebuild repairs it', async () => {
      await lose();
      const program = folder.open({ projections: [ledger] });
      program.start();
      await until(async () => (await program.engine.unreadable()).incomplete.length > 0);
      expect(await program.engine.unreadable()).toEqual({ stopped: [], behind: [], incomplete: ['ledger'] });
      await expect(total(program)).rejects.toThrow(ProjectionIncomplete);
      expect((await program.engine.status())[0]!.incomplete).toMatchObject({ events: 1 });

      await program.engine.rebuild('ledger', { signal });
      await until(async () => (await program.engine.unreadable()).incomplete.length === 0);
      await folded(program);
      expect(await total(program)).toBe(7);
      expect((await program.engine.status())[0]!.incomplete).toBeNull();
    });

    it('stay known after a restart, and by programs that only read', async () => {
      await lose();
      const finding = folder.open({ projections: [ledger] });
      finding.start();
      await until(async () => (await finding.engine.unreadable()).incomplete.length > 0);
      await finding.stop();

      const reading = folder.open({ projections: [ledger] });
      await expect(total(reading)).rejects.toThrow(ProjectionIncomplete);
      const restarted = folder.open({ projections: [ledger] });
      restarted.start();
      await pay(restarted, 8);
      await folded(restarted);
      await expect(total(restarted)).rejects.toThrow(ProjectionIncomplete);
    });

    it('are counted in one pass over the store, whatever was compared before', async () => {
      await lose();
      const { engine } = folder.open({ projections: [ledger] });
      expect(await engine.compareEvents(signal)).toEqual([
        expect.objectContaining({ projection: 'ledger', after: -1, events: 2, missing: 1 }),
      ]);
    });

    it('are none where nothing was lost: live, after a restart, and after a rebuild', async () => {
      const first = folder.open({ projections: [ledger] });
      first.start();
      await pay(first, 1, 2);
      await folded(first);
      await first.stop();
      const second = folder.open({ projections: [ledger] });
      await pay(second, 3);
      second.start();
      await folded(second);
      const compared = (): Promise<unknown> => second.engine.compareEvents(signal);
      await until(compared, found => (found as { events: number }[])[0]?.events === 3);
      expect(await compared()).toEqual([expect.objectContaining({ after: -1, events: 3, missing: 0 })]);
      await second.engine.rebuild('ledger', { signal });
      expect(await compared()).toEqual([expect.objectContaining({ after: -1, events: 3, missing: 0 })]);
      expect((await second.engine.unreadable()).incomplete).toEqual([]);
    });

    it('are not looked for before the checkpoint of a version that did not count', async () => {
      await lose();
      const documents = folder.documents();
      const checkpoint = await documents.checkpoint('ledger@1');
      const { position } = checkpoint as { readonly position: number };
      await documents.commit({ writes: [], checkpoint: { name: 'ledger@1', value: { position } } });
      await documents.close();

      const program = folder.open({ projections: [ledger] });
      program.start();
      await pay(program, 8);
      await folded(program);
      const compared = await until(
        () => program.engine.compareEvents(signal),
        ([found]) => found?.events === 1,
      );
      expect(compared).toEqual([expect.objectContaining({ after: position, events: 1, missing: 0 })]);
    });
  });
}
