import type { Source } from '../../../contracts/ports/documents';
import { deletions, type DocumentsHarness, puts } from './harness';

const SPECS = [{ name: 'people', indexes: [] }];
const SOURCES: readonly Source[] = [
  { collection: 'people' },
  { collection: 'people', part: 'a' },
  { collection: 'people', part: 'a/b' },
];

/** For adapters that have versions: every commit changes them. */
export function describeVersions({ fresh, another }: DocumentsHarness): void {
  describe('version', () => {
    test.each(SOURCES)('of %j changes with each commit, by this client or another', async source => {
      const documents = await fresh();
      await documents.declare(SPECS);
      if (!documents.version) return;
      const other = await another();
      const seen = [await documents.version([source])];
      for (const [writer, writes] of [
        [documents, puts('people', [{ _id: 'a/b' }])],
        [other, puts('people', [{ _id: 'a/b', age: 1 }])],
        [other, deletions('people', ['a/b'])],
        [documents, puts('people', [{ _id: 'a/b' }])],
        [documents, deletions('people', ['a/b'])],
      ] as const) {
        await writer.commit({ writes });
        seen.push(await documents.version([source]));
      }
      expect(new Set(seen).size).toBe(seen.length);
    });

    test('changes when a collection is dropped and declared again', async () => {
      const documents = await fresh();
      if (!documents.version) return;
      const other = await another();
      const seen: string[] = [];
      for (const writer of [documents, other, documents]) {
        await documents.declare(SPECS);
        seen.push(await documents.version([{ collection: 'people' }]));
        await writer.drop('people');
      }
      expect(new Set(seen).size).toBe(seen.length);
    });
  });
}
