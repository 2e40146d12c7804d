import { type Places, puts } from './places';

const FOREVER = 20_000;

export function describeNotices({ fresh, another }: Places): void {
  describe('changed', () => {
    test('resolves at a commit to the collection, by this client or another', async () => {
      const documents = await fresh();
      const other = await another();
      await documents.declare([{ name: 'people', indexes: [] }]);
      for (const writer of [documents, other]) {
        const changes = [documents, documents, other].map(reader =>
          reader.changed(['things', 'people'], FOREVER),
        );
        await writer.commit({ writes: puts('people', [{ _id: 'a' }]) });
        await Promise.all(changes);
      }
    });

    test('resolves at the time-out', async () => {
      const documents = await fresh();
      await documents.declare([{ name: 'people', indexes: [] }]);
      await documents.commit({ writes: puts('people', [{ _id: 'a' }]) });
      const started = performance.now();
      await documents.changed(['people'], 60);
      expect(performance.now() - started).toBeGreaterThan(50);
    });

    test('sleeps through commits to other collections', async () => {
      const documents = await fresh();
      await documents.declare([
        { name: 'people', indexes: [] },
        { name: 'things', indexes: [] },
      ]);
      const events: string[] = [];
      const people = documents.changed(['people'], FOREVER).then(() => events.push('people'));
      const things = documents.changed(['things'], FOREVER).then(() => events.push('things'));
      await documents.commit({ writes: puts('things', [{ _id: 'a' }]) });
      await things;
      await documents.commit({ writes: puts('people', [{ _id: 'a' }]) });
      await people;
      expect(events).toEqual(['things', 'people']);
    });

    test('ends when the store is closed', async () => {
      const documents = await fresh();
      await documents.declare([{ name: 'people', indexes: [] }]);
      const change = documents.changed(['people'], FOREVER);
      await documents.close();
      await change;
    });
  });
}
