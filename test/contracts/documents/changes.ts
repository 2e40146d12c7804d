import type { Documents } from '../../../contracts/ports/documents';
import { until } from '../../until';
import { NEVER_MS } from '../harness';
import { type DocumentsHarness, puts } from './harness';

export function describeChanges({ fresh, another }: DocumentsHarness): void {
  describe('waitForChange', () => {
    test('resolves at a commit to the collection, by this client or another', async () => {
      const documents = await fresh();
      const other = await another();
      await documents.declare([{ name: 'people', indexes: [] }]);
      for (const writer of [documents, other]) {
        const changes = [documents, documents, other].map(reader =>
          reader.waitForChange(['things', 'people'], NEVER_MS),
        );
        await writer.commit({ writes: puts('people', [{ _id: 'a' }]) });
        await Promise.all(changes);
      }
    });

    test('resolves at the time-out, and not because of an earlier commit', async () => {
      const documents = await fresh();
      await documents.declare([{ name: 'people', indexes: [] }]);
      await documents.commit({ writes: puts('people', [{ _id: 'a' }]) });
      const events: string[] = [];
      const late = documents.waitForChange(['people'], NEVER_MS).then(() => events.push('commit'));
      await documents.waitForChange(['people'], 60);
      events.push('time-out');
      await documents.commit({ writes: puts('people', [{ _id: 'a' }]) });
      await late;
      expect(events).toEqual(['time-out', 'commit']);
    });

    test('ignores commits to other collections', async () => {
      const documents = await fresh();
      await documents.declare([
        { name: 'people', indexes: [] },
        { name: 'things', indexes: [] },
      ]);
      const events: string[] = [];
      const people = documents.waitForChange(['people'], NEVER_MS).then(() => events.push('people'));
      const things = documents.waitForChange(['things'], NEVER_MS).then(() => events.push('things'));
      await documents.commit({ writes: puts('things', [{ _id: 'a' }]) });
      await things;
      await documents.commit({ writes: puts('people', [{ _id: 'a' }]) });
      await people;
      expect(events).toEqual(['things', 'people']);
    });

    test('resolves when the client is closed', async () => {
      const documents = await fresh();
      await documents.declare([{ name: 'people', indexes: [] }]);
      const change = documents.waitForChange(['people'], NEVER_MS);
      await documents.close();
      await change;
    });
  });

  describe('subscribe', () => {
    const NAMES = [
      { name: 'people', indexes: [] },
      { name: 'things', indexes: [] },
    ];
    /** The parts of every call, in order; null where they are unknown. */
    const subscribe = (documents: Documents, collection: string) => {
      const calls: (readonly string[] | null)[] = [];
      const end = documents.subscribe(collection, parts => void calls.push(parts && [...parts].sort()));
      return { calls, end };
    };

    test('names the parts that a commit of this client changed, and those only', async () => {
      const documents = await fresh();
      await documents.declare(NAMES);
      const { calls, end } = subscribe(documents, 'people');
      const writes = puts('people', [{ _id: 'ann/1' }, { _id: 'ann/2/x' }, { _id: 'bob' }]);
      await documents.commit({ writes: [...writes, ...puts('things', [{ _id: 'key' }])] });
      await documents.commit({ writes: [{ collection: 'people', id: 'ann/1', document: null }] });
      await documents.commit({ writes: puts('things', [{ _id: 'lamp' }]) });
      await until(() => calls.length >= 2);
      expect(calls).toEqual([['ann', 'bob'], ['ann']]);
      end();
      await documents.commit({ writes: puts('people', [{ _id: 'cid' }]) });
      expect(calls).toHaveLength(2);
    });

    test('names the parts of a large commit', async () => {
      const documents = await fresh();
      await documents.declare(NAMES);
      const { calls } = subscribe(documents, 'people');
      const large = Array.from({ length: 3_000 }, (_, n) => ({ _id: `ann/${n}` }));
      await documents.commit({ writes: puts('people', large) });
      await until(() => calls.length > 0);
      await documents.commit({ writes: puts('people', [{ _id: 'bob' }]) });
      await until(() => calls.length > 1);
      expect(calls).toEqual([['ann'], ['bob']]);
    });

    test('is called at the next commit after collections were declared and dropped', async () => {
      const documents = await fresh();
      await documents.declare(NAMES);
      const { calls } = subscribe(documents, 'people');
      await documents.declare([{ name: 'places', indexes: [] }]);
      await documents.commit({ writes: puts('people', [{ _id: 'ann' }]) });
      await until(() => calls.length > 0);
      calls.length = 0;
      await documents.drop('places');
      await documents.commit({ writes: puts('people', [{ _id: 'bob' }]) });
      await until(() => calls.length > 0);
    });

    test('is still called after another subscription has ended twice', async () => {
      const documents = await fresh();
      await documents.declare(NAMES);
      const { calls } = subscribe(documents, 'people');
      const { end } = subscribe(documents, 'things');
      end();
      end();
      await documents.commit({ writes: puts('people', [{ _id: 'ann' }]) });
      await until(() => calls.length > 0);
      expect(calls).toEqual([['ann']]);
    });

    test('is called when it began at any moment after the last one had ended', async () => {
      const documents = await fresh();
      const other = await another();
      await documents.declare(NAMES);
      for (let ticks = 0; ticks < 12; ticks++) {
        const last = subscribe(documents, 'people');
        await documents.commit({ writes: puts('people', [{ _id: 'ann' }]) });
        await until(() => last.calls.length > 0);
        last.end();
        for (let tick = 0; tick < ticks; tick++) await Promise.resolve();
        const { calls, end } = subscribe(documents, 'people');
        await other.commit({ writes: puts('people', [{ _id: `bob${ticks}` }]) });
        await until(() => calls.length > 0);
        end();
      }
    });

    test('is called at commits of another client, also when others commit in between', async () => {
      const documents = await fresh();
      const other = await another();
      await documents.declare(NAMES);
      const { calls } = subscribe(documents, 'people');
      const isNotified = (id: string) => calls.some(parts => parts === null || parts.includes(id));
      for (let n = 0; n < 20; n++) {
        calls.length = 0;
        await Promise.all([
          other.commit({ writes: puts('people', [{ _id: `ann${n}` }]) }),
          documents.commit({ writes: puts('things', [{ _id: `key${n}` }]) }),
          documents.commit({ writes: puts('people', [{ _id: `bob${n}` }]) }),
        ]);
        await until(() => isNotified(`ann${n}`) && isNotified(`bob${n}`));
      }
    });
  });
}
