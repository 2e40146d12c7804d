import type { Source } from '../../../contracts/ports/documents';
import { deletions, type Places, puts } from './places';

const SPECS = [{ name: 'people', indexes: [] }];
const SOURCES: readonly Source[] = [
  { collection: 'people' },
  { collection: 'people', part: 'a' },
  { collection: 'people', part: 'a/b' },
];

/** Of adapters that have versions: no change may leave one as it was. */
export function describeVersions({ fresh, another }: Places): void {
  describe('version', () => {
    test.each(SOURCES)('of %j is another one after each change, by this client or another', async source => {
      const documents = await fresh();
      await documents.declare(SPECS);
      if (!documents.version) return;
      const other = await another();
      const seen = [documents.version([source])];
      for (const [writer, writes] of [
        [documents, puts('people', [{ _id: 'a/b' }])],
        [other, puts('people', [{ _id: 'a/b', age: 1 }])],
        [other, deletions('people', ['a/b'])],
        [documents, puts('people', [{ _id: 'a/b' }])],
        [documents, deletions('people', ['a/b'])],
      ] as const) {
        await writer.commit({ writes });
        seen.push(documents.version([source]));
      }
      expect(new Set(seen).size).toBe(seen.length);
    });

    test('is another one for a collection that was dropped and made again', async () => {
      const documents = await fresh();
      if (!documents.version) return;
      const other = await another();
      const seen: string[] = [];
      for (const writer of [documents, other, documents]) {
        await documents.declare(SPECS);
        seen.push(documents.version([{ collection: 'people' }]));
        await writer.drop('people');
      }
      expect(new Set(seen).size).toBe(seen.length);
    });
  });
}
