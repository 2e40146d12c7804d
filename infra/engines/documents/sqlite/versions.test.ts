import { join } from 'node:path';
import type { Documents, Source } from '../../../../contracts/ports/documents';
import { temporaryFolder } from '../../../../test/temporary-folder';
import { openSqliteDocuments } from './sqlite-documents';

const folder = temporaryFolder();
let documents: Documents;
beforeAll(async () => {
  documents = openSqliteDocuments({ path: join(folder, 'documents.db') });
  await documents.declare([
    { name: 'people', indexes: [] },
    { name: 'things', indexes: [] },
  ]);
});
afterAll(() => documents.close());

const staysAfter = async (source: Source, collection: string, id: string): Promise<boolean> => {
  const before = await documents.version!([source]);
  await documents.commit({ writes: [{ collection, id, document: { _id: id } }] });
  return (await documents.version!([source])) === before;
};

describe('the version of', () => {
  test.each<[of: string, Source, written: string, stays: boolean]>([
    ['a collection', { collection: 'people' }, 'people/anna', false],
    ['a collection', { collection: 'people' }, 'things/anna', true],
    ['one document', { collection: 'people', part: 'anna' }, 'people/anna', false],
    ['one document', { collection: 'people', part: 'anna' }, 'people/berta', true],
    ['ids with the same prefix', { collection: 'people', part: 'anna' }, 'people/anna/2026', false],
    ['ids with the same prefix', { collection: 'people', part: 'anna' }, 'people/anna/2026/11', false],
    ['ids with the same prefix', { collection: 'people', part: 'anna' }, 'people/annabel/2026', true],
    ['an id with a slash', { collection: 'people', part: 'anna/2026' }, 'people/anna/2026', false],
    ['an id with a slash', { collection: 'people', part: 'anna/2026' }, 'people/anna/2027', true],
  ])('%s, %j, after a commit of %s: stays %s', async (_of, source, written, stays) => {
    const [collection, ...id] = written.split('/') as [string, ...string[]];
    expect(await staysAfter(source, collection, id.join('/'))).toBe(stays);
  });

  test('a collection is unchanged while another connection writes to others', async () => {
    const other = openSqliteDocuments({ path: join(folder, 'documents.db') });
    const write = (id: string) =>
      other.commit({ writes: [{ collection: 'things', id, document: { _id: id } }] });
    const versions = () =>
      Promise.all(['people', 'things'].map(collection => documents.version!([{ collection }])));
    await write('x');
    const [people, things] = await versions();
    await write('y');
    const [samePeople, otherThings] = await versions();
    await other.close();
    expect(samePeople).toBe(people);
    expect(otherThings).not.toBe(things);
  });

  test('a part is unchanged by a commit without writes and by a refused commit', async () => {
    const source = { collection: 'people', part: 'anna' };
    const before = await documents.version!([source]);
    const commit = documents.commit({ writes: [], checkpoint: { name: 'c', value: { position: 1 } } });
    await commit;
    await expect(
      documents.commit({
        writes: [{ collection: 'people', id: 'anna', document: { _id: 'anna' } }],
        checkpoint: { name: 'c', value: { position: 2 }, expect: null },
      }),
    ).rejects.toThrow('c');
    expect(await documents.version!([source])).toBe(before);
  });
});
