import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Document, Documents } from '../../../../contracts/ports/documents';
import { temporaryFolder } from '../../../../test/temporary-folder';
import { openSqliteDocuments } from './sqlite-documents';

const folder = temporaryFolder();
let documents: Documents;
beforeEach(() => void (documents = openSqliteDocuments({ path: join(folder, `${randomUUID()}.db`) })));
afterEach(() => documents.close());

const put = (collection: string, ...put: readonly Document[]): Promise<void> =>
  documents.commit({ writes: put.map(document => ({ collection, id: document._id, document })) });

async function compare(): Promise<{ ids: string[]; documents: number }> {
  const found = { ids: [] as string[], documents: 0 };
  for await (const { ids, documents: count } of documents.diff!('left', 'right')) {
    found.ids.push(...ids);
    found.documents += count;
  }
  return { ...found, ids: found.ids.sort() };
}

describe('two collections', () => {
  it('differ in documents with different content and in those that only one of them has', async () => {
    await documents.declare([
      { name: 'left', indexes: [] },
      { name: 'right', indexes: [{ fields: [['n', 'asc']] }] },
    ]);
    const same = Array.from({ length: 5_000 }, (_, i) => ({ _id: `same ${i}`, n: i }));
    await put('left', { _id: 'other', n: 1 }, ...same, { _id: 'only left' }, { _id: 'nul \0', n: 1 });
    await put(
      'right',
      ...same.reverse(),
      { _id: 'only right' },
      { _id: 'other', n: 2 },
      { _id: 'nul \0', n: 2 },
    );

    expect(await compare()).toEqual({
      ids: ['nul \0', 'only left', 'only right', 'other'],
      documents: 5_003,
    });
  });

  it('are both empty, or one is unknown', async () => {
    await documents.declare([{ name: 'left', indexes: [] }]);
    await expect(compare()).rejects.toThrow('right');
    await documents.declare([{ name: 'right', indexes: [] }]);
    expect(await compare()).toEqual({ ids: [], documents: 0 });
  });
});
