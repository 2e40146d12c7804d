import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Commit } from '../../../contracts/ports/documents';
import type { Position } from '../../../contracts/position';
import type { EventProjection } from '../../../projections/projection';
import { ProjectionStopped } from '../../../projections/unreadable';
import { ledger } from '../ledger';
import { closed, type DataFolder, paid, PROJECTING_TIMEOUT_MS, until, type Program } from '../program';

let folder: DataFolder;

const total = async ({ views }: Program, account: string): Promise<unknown> =>
  (await views.get('accounts', account))?.['total'];

const status = async ({ engine }: Program) => (await engine.status())[0]!;

/** Contract of running event projections on any documents adapter; `openFolder` is called for each test. */
export function describeLiveProjections(
  adapter: string,
  openFolder: () => DataFolder | Promise<DataFolder>,
): void {
  describe(`on documents in ${adapter}`, () => {
    beforeEach(async () => {
      folder = await openFolder();
    });
    afterEach(() => folder.remove());

    describe('a projection of events', () => {
      it('follows what is appended', async () => {
        const program = folder.open({ projections: [ledger] });
        program.start();
        await program.store.append('account-a', 'any', [paid('a', 3)]);
        await until(async () => (await total(program, 'a')) === 3);
        const { position } = await program.store.append('account-a', 'any', [paid('a', 4)]);
        expect(await program.views.waitForPosition('accounts', position, PROJECTING_TIMEOUT_MS)).toBe(true);
        expect(await total(program, 'a')).toBe(7);
        await until(async () => (await status(program)).state === 'live');
        expect(await status(program)).toMatchObject({ name: 'ledger', generation: 1, lag: 0, fault: null });
      });

      it('continues from its checkpoint when the program starts again', async () => {
        const first = folder.open({ projections: [ledger] });
        first.start();
        const { position } = await first.store.append('account-a', 'any', [paid('a', 3)]);
        await first.views.waitForPosition('accounts', position, PROJECTING_TIMEOUT_MS);
        await first.store.append('account-a', 'any', [paid('a', 4)]);
        await first.stop();

        const second = folder.open({ projections: [ledger] });
        await second.store.append('account-a', 'any', [paid('a', 5)]);
        second.start();
        // Not all adapters commit the documents of a batch at once.
        await until(async () => (await status(second)).lag === 0);
        expect(await total(second, 'a')).toBe(12);
        expect(await second.views.get('days', 'all')).toMatchObject({ events: 3 });
      });

      it('has reached a position when all events up to it are of other categories', async () => {
        const program = folder.open({ projections: [ledger] });
        program.start();
        const { position } = await program.store.append('watch-x', 'any', [paid('x', 1)]);
        expect(await program.views.waitForPosition('accounts', position, 0)).toBe(true);
      });

      it('has not reached a position that it did not fold in time', async () => {
        const program = folder.open({ projections: [ledger] });
        const { position } = await program.store.append('account-a', 'any', [paid('a', 3)]);
        expect(await program.views.waitForPosition('accounts', position, 30)).toBe(false);
      });

      it('is read without what was recorded after the start and is not folded yet', async () => {
        const program = folder.open({ projections: [ledger] });
        // A double of a store that delivers nothing.
        program.store.subscribe = async function* ({ signal }) {
          if (!signal!.aborted) await once(signal!, 'abort');
          yield* [];
        };
        program.start();
        await until(async () => (await status(program)).state === 'live');
        await program.store.append('account-a', 'any', [paid('a', 3)]);
        expect(await total(program, 'a')).toBeUndefined();
      });

      it('is empty before its first run', async () => {
        const { views } = folder.open({ projections: [ledger] });
        expect(await views.get('accounts', 'a')).toBeNull();
        expect(await views.find('accounts', { limit: 10 })).toEqual({ documents: [], next: null });
        expect(await views.count('accounts')).toBe(0);
      });

      it('hides fields of the engine from queries', async () => {
        const program = folder.open({ projections: [ledger] });
        program.start();
        const { position } = await program.store.append('account-a', 'any', [paid('a', 3), paid('b', 1)]);
        await program.views.waitForPosition('accounts', position, PROJECTING_TIMEOUT_MS);
        const [a, b] = [
          { _id: 'a', total: 3 },
          { _id: 'b', total: 1 },
        ];
        expect(await program.views.get('accounts', 'a')).toEqual(a);
        expect([...(await program.views.getMany('accounts', ['a', 'z'])).values()]).toEqual([a]);
        expect((await program.views.find('accounts', { limit: 10 })).documents).toEqual([a, b]);
        const pages: unknown[] = [];
        for await (const page of program.views.scan('accounts', { limit: 1 })) pages.push(page);
        expect(pages).toEqual([[a], [b]]);
        expect(await program.views.count('accounts')).toBe(2);
      });

      describe('that is behind', () => {
        const EVENTS = 4_000;

        /** A program with documents, and events that it has not folded yet. */
        async function behind(note = ''): Promise<{ readonly program: Program; readonly first: Position }> {
          const before = folder.open({ projections: [ledger] });
          before.start();
          const { position } = await before.store.append('account-0', 'any', [paid('0', 1)]);
          await before.views.waitForPosition('accounts', position, PROJECTING_TIMEOUT_MS);
          await before.stop();
          const program = folder.open({ projections: [ledger] });
          // Once caught up, what is behind is shown.
          expect(await total(program, '0')).toBe(1);
          let first: Position | null = null;
          for (let n = 0; n < EVENTS; n += 100) {
            const events = Array.from({ length: 100 }, (_, i) => paid(String(n + i), 1));
            const noted = events.map(event => ({ ...event, data: { ...event.data, note } }));
            const { position } = await program.store.append('account-1', 'any', noted);
            first ??= position;
          }
          return { program, first: first! };
        }
        const commitsTo = (commits: readonly Commit[], collection: string): number =>
          commits.filter(({ writes }) => writes.some(write => write.collection === collection)).length;

        it('catches up in no more commits than a rebuild makes, and then shows each event at once', async () => {
          const { program } = await behind();
          const commits: Commit[] = [];
          const commit = program.documents.commit.bind(program.documents);
          program.documents.commit = work => {
            commits.push(work);
            return commit(work);
          };
          program.start();
          await until(async () => (await status(program)).lag === 0);
          expect(await program.views.get('days', 'all')).toMatchObject({ events: EVENTS + 1 });
          const caughtUpIn = commitsTo(commits, 'accounts@1');

          const { position } = await program.store.append('account-a', 'any', [paid('a', 7)]);
          expect(await program.views.waitForPosition('accounts', position, PROJECTING_TIMEOUT_MS)).toBe(true);
          expect(await total(program, 'a')).toBe(7);
          expect(commitsTo(commits, 'accounts@1')).toBe(caughtUpIn + 1);

          const { comparison } = await program.engine.rebuild('ledger', {
            signal: new AbortController().signal,
          });
          expect(comparison).toMatchObject({ different: 0, inconclusive: 0 });
          expect(caughtUpIn).toBeLessThanOrEqual(commitsTo(commits, 'accounts@2'));
        });

        it('shows the first events while it still folds the others', async () => {
          const { program, first } = await behind('x'.repeat(2_000));
          const commit = program.documents.commit.bind(program.documents);
          let passOn = (): void => undefined;
          const shown = new Promise<void>(resolve => (passOn = resolve));
          let commits = 0;
          program.documents.commit = async work => {
            if (work.checkpoint?.name === 'ledger@1' && (commits += 1) > 1) await shown;
            return commit(work);
          };
          program.start();
          expect(await program.views.waitForPosition('accounts', first, PROJECTING_TIMEOUT_MS)).toBe(true);
          expect(await total(program, '99')).toBe(1);
          expect((await status(program)).lag).toBeGreaterThan(0);
          passOn();
          await until(async () => (await status(program)).lag === 0);
          expect(await program.views.get('days', 'all')).toMatchObject({ events: EVENTS + 1 });
        });
      });

      it('folds each event once with two programs on the same documents', async () => {
        const [one, other] = [folder.open({ projections: [ledger] }), folder.open({ projections: [ledger] })];
        one.start();
        other.start();
        for (let i = 0; i < 200; i++) await one.store.append('account-a', 'any', [paid('a', 1)]);
        // Before its first run a projection has no lag either.
        await until(
          () => status(other),
          ({ state, lag }) => state !== 'absent' && lag === 0,
        );
        expect(await total(other, 'a')).toBe(200);
        expect(await other.views.get('days', 'all')).toMatchObject({ events: 200 });
      });
    });

    describe('an event that cannot be folded', () => {
      const poisoned = (): [EventProjection, { fixed: boolean }] => {
        const bug = { fixed: false };
        const projection: EventProjection = {
          ...ledger,
          fold(document, event, key) {
            if (event.type === 'Closed' && !bug.fixed) throw new Error('no such account');
            return ledger.fold(document, event, key);
          },
        };
        return [projection, bug];
      };
      const healthy: EventProjection = {
        ...ledger,
        name: 'healthy',
        collections: [{ name: 'healthy', indexes: [] }],
        touches: () => [{ collection: 'healthy', id: 'all' }],
        fold: (document, _, { id }) => ({ _id: id, events: Number(document?.['events'] ?? 0) + 1 }),
      };

      it('stops its projection with a fault, and no other projection', async () => {
        const program = folder.open({ projections: [poisoned()[0], healthy] });
        program.start();
        await program.store.append('account-a', 'any', [paid('a', 3), closed('a'), paid('a', 4)]);
        await until(async () => (await status(program)).state === 'stopped');
        expect((await status(program)).fault).toMatchObject({
          at: 'position 1 (Closed, account-a revision 1)',
          error: expect.stringContaining('no such account'),
        });
        expect(await status(program)).toMatchObject({ checkpoint: { position: 0 }, lag: 2 });
        expect(await program.engine.unreadable()).toEqual({
          stopped: ['ledger'],
          behind: [],
          incomplete: [],
        });
        expect(await program.documents.get('accounts@1', 'a')).toMatchObject({ total: 3 });
        await expect(total(program, 'a')).rejects.toThrow(ProjectionStopped);
        await until(async () => (await program.views.get('healthy', 'all'))?.['events'] === 3);
      });

      it('is retried on request of any program, and continues once it is fixed', async () => {
        const [projection, bug] = poisoned();
        const program = folder.open({ projections: [projection] });
        program.start();
        await program.store.append('account-a', 'any', [paid('a', 3), closed('a'), paid('a', 4)]);
        await until(async () => (await status(program)).state === 'stopped');
        bug.fixed = true;
        const { engine } = folder.open({ projections: [projection] });
        expect((await engine.unreadable()).stopped).toEqual(['ledger']);
        await engine.resume('ledger');
        expect((await engine.unreadable()).stopped).toEqual([]);
        const after = await until(
          () => status(program),
          ({ fault, lag }) => fault === null && lag === 0,
        );
        expect(after.state).toBe('live');
        expect(await total(program, 'a')).toBe(7);
      });
    });

    it('stops at a damaged event and names its position', async () => {
      const writing = folder.open({ projections: [] });
      await writing.store.append('account-a', 'any', [paid('a', 3), paid('a', 44_444), paid('a', 5)]);
      await writing.stop();
      const file = join(folder.path, 'events.db');
      const bytes = readFileSync(file);
      bytes[bytes.indexOf('44444')] = 0xff;
      writeFileSync(file, bytes);

      const program = folder.open({ projections: [ledger] });
      program.start();
      await until(async () => (await status(program)).state === 'stopped');
      expect((await status(program)).fault).toMatchObject({ at: 'position 1' });
      expect(await program.documents.get('accounts@1', 'a')).toMatchObject({ total: 3 });
      await expect(total(program, 'a')).rejects.toThrow(ProjectionStopped);
    });

    it('retries after an error of the documents', async () => {
      const program = folder.open({ projections: [ledger] });
      const commit = program.documents.commit.bind(program.documents);
      let failures = 0;
      program.documents.commit = async work => {
        if (work.writes.some(({ collection }) => collection === 'accounts@1') && failures++ < 2)
          throw new Error('disk full');
        return commit(work);
      };
      program.start();
      await program.store.append('account-a', 'any', [paid('a', 3)]);
      await until(async () => (await total(program, 'a')) === 3);
      expect(failures).toBe(3);
    });
  });
}
