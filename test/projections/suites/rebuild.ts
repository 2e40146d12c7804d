import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import type { EventStore } from '../../../contracts/ports/event-store';
import { RebuildInProgress, RebuildSuperseded } from '../../../projections/engine/rebuild-errors';
import type { EventProjection } from '../../../projections/projection';
import { ProjectionStopped } from '../../../projections/unreadable';
import { ledger } from '../ledger';
import { closed, type DataFolder, paid, PROJECTING_TIMEOUT_MS, until, type Program } from '../program';
import { runs } from '../../random';

const signal = new AbortController().signal;
const second: EventProjection = {
  ...ledger,
  version: 2,
  fold: (document, event, key) => {
    const folded = ledger.fold(document, event, key);
    return folded && { ...folded, second: true };
  },
};

/** A comparison of generations that cannot be reached reads the checkpoint of the live one more often. */
const READS_BEFORE_LIVE = 20;

let folder: DataFolder;

const status = async ({ engine }: Program) => (await engine.status())[0]!;
const events = async ({ views }: Program): Promise<number> =>
  Number((await views.get('days', 'all'))?.['events'] ?? 0);

async function append(program: Program, count: number): Promise<void> {
  for (let i = 0; i < count; i++)
    await program.store.append(`account-${i % 7}`, 'any', [paid(`${i % 7}`, 1)]);
}

async function running(count: number): Promise<Program> {
  const program = folder.open({ projections: [ledger] });
  await append(program, count);
  program.start();
  // Not all adapters commit the documents of a batch at once.
  await until(async () => (await events(program)) === count && (await status(program)).lag === 0);
  return program;
}

/** Contract of rebuilds on any documents adapter; `openFolder` is called for each test. */
export function describeRebuilds(adapter: string, openFolder: () => DataFolder | Promise<DataFolder>): void {
  describe(`on documents in ${adapter}`, () => {
    beforeEach(async () => {
      folder = await openFolder();
    });
    afterEach(() => folder.remove());

    describe('a rebuild', () => {
      it('builds a new generation, finds it equal, and switches to it', async () => {
        const program = await running(40);
        const progress: unknown[] = [];

        const report = await program.engine.rebuild('ledger', {
          signal,
          onProgress: at => progress.push(at),
        });

        expect(report).toEqual({
          projection: 'ledger',
          from: { version: 1, generation: 1 },
          to: { version: 1, generation: 2 },
          comparison: { documents: 8, different: 0, inconclusive: 0, examples: [] },
          switched: true,
        });
        expect(progress.at(-1)).toEqual({ done: 40, total: 40 });
        expect(await status(program)).toMatchObject({ generation: 2, building: null });
        await append(program, 5);
        await until(async () => (await events(program)) === 45);
      });

      it('is followed by subscribers, who can read what each call notifies them of', async () => {
        const program = folder.open({ projections: [ledger] });
        const { views } = program;
        const calls: { readonly parts: readonly string[] | null; readonly read: Promise<number> }[] = [];
        const end = views.subscribe('days', parts =>
          calls.push({ parts: parts && [...parts], read: events(program) }),
        );
        const isNotified = async (count: number): Promise<boolean> => {
          for (const { parts, read } of calls)
            if ((parts === null || parts.includes('all')) && (await read) === count) return true;
          return false;
        };
        // Before the projection has run for the first time.
        await append(program, 3);
        program.start();
        await until(() => isNotified(3));
        await append(program, 1);
        await until(() => isNotified(4));
        await program.engine.rebuild('ledger', { signal });
        await append(program, 1);
        await until(() => isNotified(5));
        expect(calls.some(({ parts }) => parts?.includes('all'))).toBe(true);
        end();
        const { length } = calls;
        await append(program, 1);
        await until(async () => (await events(program)) === 6);
        expect(calls).toHaveLength(length);
      });

      it('builds the first documents of a projection with a long history', async () => {
        const program = folder.open({ projections: [ledger] });
        const history = Array.from({ length: 10_001 }, (_, i) => paid(`${i % 7}`, 1));
        await program.store.append('account-all', 'no_stream', history);

        program.start();
        await until(async () => (await events(program)) === 10_001);
        await append(program, 5);
        await until(async () => (await events(program)) === 10_006);

        expect(await status(program)).toMatchObject({ generation: 2, building: null });
        expect(await program.views.count('accounts')).toBe(7);
      });

      it('in another program is noticed by the one that runs the projection', async () => {
        const program = await running(40);
        await folder.open({ projections: [ledger] }).engine.rebuild('ledger', { signal });
        await append(program, 5);
        await until(async () => (await events(program)) === 45);
        expect(await program.documents.get('days@2', 'all')).toMatchObject({ events: 45 });
        expect(await program.documents.get('days@1', 'all')).toMatchObject({ events: 40 });
      });

      it('never shows a reader older documents, while events are appended', async () => {
        const program = await running(50);
        const operator = folder.open({ projections: [ledger] });
        const read: number[] = [];
        let done = false;
        const reading = (async () => {
          while (!done) {
            read.push(await events(program));
            await new Promise(setImmediate);
          }
        })();
        const appending = append(program, 150);
        for (let i = 0; i < 3; i++) await operator.engine.rebuild('ledger', { signal });
        await appending;
        await until(async () => (await events(program)) === 200);
        done = true;
        await reading;
        expect(read).toEqual([...read].sort((a, b) => a - b));
        expect(await status(program)).toMatchObject({ generation: 4 });
      });

      it('reports differences, and keeps the live generation when the two must be equal', async () => {
        const program = await running(40);
        const wrong = { ...(await program.documents.get('accounts@1', '3'))!, total: 99 };
        const { documents } = program;
        await documents.commit({
          writes: [
            { collection: 'accounts@1', id: '3', document: wrong },
            { collection: 'accounts@1', id: '4', document: null },
          ],
        });

        const verified = await program.engine.rebuild('ledger', { signal, switchWhen: 'never' });
        expect(verified).toMatchObject({ switched: false, comparison: { different: 2, inconclusive: 0 } });
        expect(verified.comparison!.examples).toEqual(['accounts/3', 'accounts/4']);

        const refused = await program.engine.rebuild('ledger', { signal, switchWhen: 'equal' });
        expect(refused).toMatchObject({ switched: false, to: { generation: 3 } });
        expect(await program.views.get('accounts', '3')).toMatchObject({ total: 99 });

        await program.engine.rebuild('ledger', { signal });
        await until(async () => (await program.views.get('accounts', '3'))?.['total'] === 6);
        await expect(documents.get('accounts@2', '3')).rejects.toThrow();
        await expect(documents.get('accounts@3', '3')).rejects.toThrow();
      });

      it('finds no difference in what the live generation has not folded yet, and waits for it to', async () => {
        const stopped = await running(40);
        await stopped.stop();
        const live = folder.open({ projections: [ledger] });
        const documents = folder.documents();
        let reads = 0;
        const verifying = folder.open({
          projections: [ledger],
          documents: {
            ...documents,
            async checkpoint(name) {
              if (name === 'ledger@1' && ++reads === READS_BEFORE_LIVE) {
                live.start();
                await until(async () => (await status(live)).lag === 0);
              }
              return documents.checkpoint(name);
            },
          },
        });
        // Deletes the document of the account.
        await verifying.store.append('account-3', 'any', [closed('3')]);

        const verified = await verifying.engine.rebuild('ledger', { signal, switchWhen: 'never' });
        expect(verified.comparison).toMatchObject({ different: 0, inconclusive: 0 });
      });

      it('finds no difference in a generation that nobody brings up to date', async () => {
        const stopped = await running(40);
        await stopped.stop();
        const program = folder.open({ projections: [ledger] });
        await program.store.append('account-3', 'any', [closed('3')]);
        const verified = await program.engine.rebuild('ledger', { signal, switchWhen: 'never' });
        expect(verified.comparison).toMatchObject({ different: 0, inconclusive: 2 });
      });

      it('ends although every pass takes long and finds new events', async () => {
        const program = await running(40);
        const slow = folder.open({ projections: [ledger] });
        let passes = 0;
        const store: EventStore = {
          ...slow.store,
          async head() {
            if (++passes > 50) throw new Error('there is no end to the passes');
            await append(program, 1);
            await sleep(150);
            return slow.store.head();
          },
        };
        const rebuilt = folder.open({ projections: [ledger], store }).engine.rebuild('ledger', { signal });
        expect(await rebuilt).toMatchObject({ to: { generation: 2 }, switched: true });
        await until(async () => (await events(program)) === 40 + passes);
      });

      it('can be cancelled and started again', async () => {
        const program = await running(40);
        const cancelled = new AbortController();
        const rebuilt = program.engine.rebuild('ledger', {
          signal: cancelled.signal,
          onProgress: () => cancelled.abort(new Error('enough')),
        });
        await expect(rebuilt).rejects.toThrow('enough');
        expect(await status(program)).toMatchObject({ generation: 1, building: null });
        await expect(program.documents.get('days@2', 'all')).rejects.toThrow();
        expect(await program.engine.rebuild('ledger', { signal })).toMatchObject({ switched: true });
      });

      it('runs once at a time for a projection', async () => {
        const program = await running(40);
        const other = folder.open({ projections: [ledger] });
        const [one, two] = await Promise.allSettled([
          program.engine.rebuild('ledger', { signal }),
          other.engine.rebuild('ledger', { signal }),
        ]);
        const lost = one.status === 'rejected' ? one : two;
        expect(lost).toMatchObject({ status: 'rejected', reason: expect.any(RebuildInProgress) });
        expect(await status(program)).toMatchObject({ generation: 2 });
      });

      it('whose claim has expired is superseded by the next one', async () => {
        const program = await running(40);
        const suspended = folder.open({ projections: [ledger] });
        const commit = suspended.documents.commit.bind(suspended.documents);
        let resume: (() => void) | undefined;
        const isSuspended = new Promise<void>(resolve => {
          suspended.documents.commit = async work => {
            if (!work.writes.some(({ collection }) => collection === 'days@2')) return commit(work);
            await new Promise<void>(wake => {
              resume = wake;
              resolve();
            });
            return commit(work);
          };
        });
        const rebuilt = suspended.engine.rebuild('ledger', { signal });
        await isSuspended;

        const later = () => new Date(Date.now() + 3_600_000);
        const next = folder.open({ projections: [ledger], clock: later });
        expect(await next.engine.rebuild('ledger', { signal })).toMatchObject({
          to: { generation: 3 },
          switched: true,
        });
        resume!();
        await expect(rebuilt).rejects.toThrow(RebuildSuperseded);
        await append(program, 5);
        await until(async () => (await events(program)) === 45);
        expect(await status(program)).toMatchObject({ generation: 3, building: null });
      });

      it('builds the documents of the live projection, for any history and starting point', async () => {
        const account = fc.constantFrom('a', 'b', 'c');
        const payment = fc.record({ account, amount: fc.integer({ min: 1, max: 2 }) });
        const closing = fc.record({ account, amount: fc.constant(0) });
        const history = fc.array(
          fc.oneof({ weight: 3, arbitrary: payment }, { weight: 1, arbitrary: closing }),
          {
            maxLength: 60,
          },
        );
        const program = await running(1);
        const appendAll = async (happened: readonly { account: string; amount: number }[]): Promise<void> => {
          for (const { account, amount } of happened)
            await program.store.append('account-x', 'any', [
              amount ? paid(account, amount) : closed(account),
            ]);
        };
        await fc.assert(
          fc.asyncProperty(history, fc.nat(60), async (happened, before) => {
            await appendAll(happened.slice(0, before));
            const rebuilding = program.engine.rebuild('ledger', { signal });
            await appendAll(happened.slice(before));
            expect(await rebuilding).toMatchObject({ switched: true, comparison: { different: 0 } });
            const head = await program.store.head();
            expect(await program.views.waitForPosition('accounts', head, PROJECTING_TIMEOUT_MS)).toBe(true);
            const verified = await program.engine.rebuild('ledger', { signal, switchWhen: 'never' });
            expect(verified.comparison).toMatchObject({ different: 0, inconclusive: 0 });
          }),
          runs(5),
        );
      });
    });

    describe('a new version of a projection', () => {
      it('is built beside the old one, which serves reads until then', async () => {
        const old = await running(40);
        await old.stop();
        const program = folder.open({ projections: [second] });
        expect(await program.views.get('days', 'all')).toEqual({ _id: 'all', events: 40 });
        program.start();
        await until(async () => (await program.views.get('days', 'all'))?.['second'] === true);
        expect(await program.views.get('days', 'all')).toEqual({ _id: 'all', events: 40, second: true });
        expect(await status(program)).toMatchObject({ version: 2, generation: 2 });
        await append(program, 5);
        await until(async () => (await events(program)) === 45);
      });

      it('is not changed by a program that knows only the old one', async () => {
        const old = await running(40);
        const program = folder.open({ projections: [second] });
        program.start();
        await until(async () => (await status(old)).state === 'outdated');
        await append(program, 5);
        await until(async () => (await events(old)) === 45);
        expect(await old.views.get('days', 'all')).toMatchObject({ second: true });
      });

      it('that cannot fold an event leaves the old one in use for programs that know it, and reports the error', async () => {
        const old = await running(40);
        const broken: EventProjection = {
          ...second,
          fold: () => {
            throw new Error('cannot be folded');
          },
        };
        const program = folder.open({ projections: [broken] });
        program.start();
        await until(async () => (await status(program)).state === 'stopped');
        expect(await status(program)).toMatchObject({ version: 1, generation: 1, building: null });
        await expect(events(program)).rejects.toThrow(ProjectionStopped);
        await append(old, 5);
        await until(async () => (await events(old)) === 45);
      });
    });

    it('drops an old generation after the grace time, and answers a late read from the new one', async () => {
      const program = await running(40);
      const reader = folder.open({ projections: [ledger] });
      reader.documents.waitForChange = () => new Promise(() => undefined); // is never notified of the switch
      expect(await events(reader)).toBe(40);
      await program.engine.rebuild('ledger', { signal });
      await program.stop();
      expect(await reader.documents.get('days@1', 'all')).not.toBeNull();

      const later = folder.open({ projections: [ledger], clock: () => new Date(Date.now() + 3_600_000) });
      later.start();
      await until(() =>
        later.documents.get('days@1', 'all').then(
          () => false,
          () => true,
        ),
      );
      expect(await events(reader)).toBe(40);
    });
  });
}
