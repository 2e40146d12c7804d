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
}
