import { DuplicateKey, UnanswerableQuery, UnknownCollection } from '../../../contracts/ports/documents';
import { idsOf, type DocumentsHarness, puts } from './harness';

const BY_AGE = { fields: [['age', 'asc']] } as const;
const people = puts('people', [
  { _id: 'a', age: 3 },
  { _id: 'b', age: 1 },
  { _id: 'c', age: 2 },
]);

export function describeDeclarations({ fresh, another }: DocumentsHarness): void {
  describe('declaring', () => {
    test('twice changes nothing', async () => {
      const documents = await fresh();
      const spec = { name: 'people', indexes: [BY_AGE], counts: [[]] };
      await documents.declare([spec]);
      await documents.commit({ writes: people });
      await documents.declare([spec]);
      expect(await documents.count('people')).toBe(3);
    });

    test('the same twice in one call declares it once', async () => {
      const documents = await fresh();
      const unique = { fields: [['age', 'asc']], unique: true } as const;
      const spec = { name: 'people', indexes: [unique, unique], counts: [['age'], ['age'], []] };
      await documents.declare([spec, spec]);
      await documents.commit({ writes: people });
      expect([await documents.count('people'), await documents.count('people', { age: 1 })]).toEqual([3, 1]);
    });

    test('is visible to other clients', async () => {
      const documents = await fresh();
      const other = await another();
      await documents.declare([{ name: 'people', indexes: [BY_AGE] }]);
      await other.commit({ writes: people });
      const page = await documents.find('people', { order: [['age', 'desc']], limit: 2 });
      expect(idsOf(page.documents)).toEqual(['a', 'c']);
    });

    test('adds indexes and counts to existing documents', async () => {
      const documents = await fresh();
      const other = await another();
      await documents.declare([{ name: 'people', indexes: [] }]);
      await other.commit({ writes: people });
      await documents.declare([{ name: 'people', indexes: [BY_AGE], counts: [[], ['age']] }]);
      for (const client of [documents, other]) {
        const page = await client.find('people', {
          filter: { age: { gte: 2 } },
          order: [['age', 'asc']],
          limit: 9,
        });
        expect(idsOf(page.documents)).toEqual(['c', 'a']);
        expect(await client.count('people')).toBe(3);
        expect(await client.count('people', { age: 1 })).toBe(1);
      }
      await other.commit({ writes: puts('people', [{ _id: 'd', age: 1 }]) });
      expect(await documents.count('people', { age: 1 })).toBe(2);
    });

    test('with deferred indexes allows no queries and counts yet', async () => {
      const documents = await fresh();
      const spec = { name: 'people', indexes: [BY_AGE], counts: [[]] };
      await documents.declare([spec], { deferIndexes: true });
      await documents.commit({ writes: people });
      await documents.commit({ writes: puts('people', [{ _id: 'c', age: 9 }]) });
      expect(await documents.get('people', 'c')).toEqual({ _id: 'c', age: 9 });
      await expect(documents.find('people', { order: [['age', 'asc']], limit: 1 })).rejects.toThrow(
        UnanswerableQuery,
      );
      await expect(documents.count('people')).rejects.toThrow(UnanswerableQuery);

      await documents.declare([spec]);
      const page = await documents.find('people', { order: [['age', 'asc']], limit: 9 });
      expect(idsOf(page.documents)).toEqual(['b', 'a', 'c']);
      expect(await documents.count('people')).toBe(3);
    });

    test('with deferred indexes removes no index', async () => {
      const documents = await fresh();
      const spec = { name: 'people', indexes: [BY_AGE] };
      await documents.declare([spec]);
      await documents.declare([spec], { deferIndexes: true });
      await expect(documents.find('people', { order: [['age', 'asc']], limit: 1 })).resolves.toBeDefined();
    });

    test('a unique index over duplicates fails', async () => {
      const documents = await fresh();
      await documents.declare([{ name: 'people', indexes: [] }]);
      await documents.commit({
        writes: puts('people', [
          { _id: 'a', age: 1 },
          { _id: 'b', age: 1 },
        ]),
      });
      const declared = documents.declare([{ name: 'people', indexes: [{ ...BY_AGE, unique: true }] }]);
      await expect(declared).rejects.toThrow(DuplicateKey);
    });

    test.each(['', 'sqlite_master', 'a b', '_state', '"x', "x'; DROP TABLE y", 'a/b'])(
      'refuses the name %p',
      async name => {
        const documents = await fresh();
        await expect(documents.declare([{ name, indexes: [] }])).rejects.toThrow(TypeError);
      },
    );

    test.each(['', '$where', 'a..b', 'a"b', '_id', 'a b', '.a'])('rejects the field %p', async field => {
      const documents = await fresh();
      const spec = { name: 'people', indexes: [{ fields: [[field, 'asc']] as const }] };
      await expect(documents.declare([spec])).rejects.toThrow(TypeError);
    });

    test('keeps generations of a collection apart', async () => {
      const documents = await fresh();
      await documents.declare([
        { name: 'fee-ledger.v1@3', indexes: [BY_AGE], counts: [[]] },
        { name: 'fee-ledger.v1@4', indexes: [BY_AGE], counts: [[]] },
      ]);
      await documents.commit({ writes: puts('fee-ledger.v1@4', [{ _id: 'a', age: 1 }]) });
      expect(await documents.count('fee-ledger.v1@3')).toBe(0);
      expect(await documents.count('fee-ledger.v1@4')).toBe(1);
    });
  });

  describe('dropping', () => {
    test('removes the collection for all clients', async () => {
      const documents = await fresh();
      const other = await another();
      const spec = { name: 'people', indexes: [BY_AGE], counts: [[]] };
      await documents.declare([spec]);
      await documents.commit({ writes: people });
      expect(await other.get('people', 'a')).not.toBeNull();
      await documents.drop('people');
      for (const client of [documents, other]) {
        await expect(client.get('people', 'a')).rejects.toThrow(UnknownCollection);
        await expect(client.getMany('people', ['a'])).rejects.toThrow(UnknownCollection);
        await expect(client.find('people', { limit: 1 })).rejects.toThrow(UnknownCollection);
        await expect(client.count('people')).rejects.toThrow(UnknownCollection);
        await expect(client.commit({ writes: people })).rejects.toThrow(UnknownCollection);
      }
      await documents.declare([spec]);
      expect(await other.get('people', 'a')).toBeNull();
      expect(await other.count('people')).toBe(0);
    });

    test('a collection that does not exist does nothing', async () => {
      const documents = await fresh();
      await expect(documents.drop('people')).resolves.toBeUndefined();
    });
  });
}
