import { join } from 'node:path';
import type { Document, Documents, Query } from '../../../../contracts/ports/documents';
import { temporaryFolder } from '../../../../test/temporary-folder';
import { openDatabase } from '../../sqlite/database';
import { createDocumentCache } from './document-cache';
import { openSqliteDocuments } from './sqlite-documents';
import { joinedBodies, readRowVersions, ROW_VERSION, type RowVersion } from './stored-text';

const folder = temporaryFolder();
const path = join(folder, 'documents.db');
const put = (documents: Documents, ...all: Document[]): Promise<void> =>
  documents.commit({ writes: all.map(document => ({ collection: 'things', id: document._id, document })) });

let documents: Documents;
beforeAll(() => {
  documents = openSqliteDocuments({ path });
});
beforeEach(async () => {
  await documents.drop('things');
  await documents.declare([{ name: 'things', indexes: [{ fields: [['kind', 'asc']] }] }]);
  await put(documents, ...['a', 'b', 'c'].map(_id => ({ _id, kind: 'fee', of: { name: _id } })));
});
afterAll(() => documents.close());

const ALL: Query = { limit: 10 };
const found = async (query: Query, reader = documents): Promise<Record<string, Document>> => {
  const page = await reader.find('things', query);
  return Object.fromEntries(page.documents.map(document => [document._id, document]));
};

describe('documents that are found again', () => {
  test('are the same objects, also in another query, but for those that changed', async () => {
    const before = await found(ALL);
    const other = openSqliteDocuments({ path });
    await put(other, { _id: 'b', kind: 'fee', of: { name: 'changed' } });
    await other.close();
    const after = await found({ filter: { kind: 'fee' }, limit: 3 });
    expect(after['a']).toBe(before['a']);
    expect(after['c']).toBe(before['c']);
    expect(after['b']).toEqual({ _id: 'b', kind: 'fee', of: { name: 'changed' } });
  });

  test('by a query that is repeated are what another process made of them meanwhile', async () => {
    const query: Query = { filter: { kind: 'fee' }, order: [['kind', 'asc']], limit: 3 };
    const ids = async () => (await documents.find('things', query)).documents.map(({ _id, of }) => [_id, of]);
    const names = [{ name: 'a' }, { name: 'b' }, { name: 'c' }];
    for (let again = 0; again < 2; again++)
      expect(await ids()).toEqual([
        ['a', names[0]],
        ['b', names[1]],
        ['c', names[2]],
      ]);
    const other = openSqliteDocuments({ path });
    await put(other, { _id: 'b', kind: 'fee', of: 'имя '.repeat(200) });
    await put(other, { _id: 'aa', kind: 'fee', of: 'x\n\ny'.repeat(100) });
    expect(await ids()).toEqual([
      ['a', names[0]],
      ['aa', 'x\n\ny'.repeat(100)],
      ['b', 'имя '.repeat(200)],
    ]);
    await other.commit({ writes: [{ collection: 'things', id: 'a', document: null }] });
    // It is older than what the query has read, and was on its page only when it was first read.
    expect(await ids()).toEqual([
      ['aa', 'x\n\ny'.repeat(100)],
      ['b', 'имя '.repeat(200)],
      ['c', names[2]],
    ]);
    await other.commit({ writes: [{ collection: 'things', id: 'c', document: null }] });
    await put(other, { _id: 'c', kind: 'tip' });
    expect((await ids()).map(([id]) => id)).toEqual(['aa', 'b']);
    await other.close();
  });

  test('are not mistaken for those in the same row of another collection', async () => {
    await documents.drop('others');
    await documents.declare([{ name: 'others', indexes: [] }]);
    // One commit, hence one version.
    await documents.commit({
      writes: ['things', 'others'].map(collection => ({
        collection,
        id: 'z',
        document: { _id: 'z', of: collection },
      })),
    });
    for (const collection of ['things', 'others', 'things'])
      expect((await documents.find(collection, { filter: { _id: 'z' }, limit: 1 })).documents).toEqual([
        { _id: 'z', of: collection },
      ]);
  });

  test('cannot be changed by those who read them', async () => {
    const { a } = await found(ALL);
    expect(() => ((a!['of'] as { name: string }).name = 'x')).toThrow(TypeError);
    expect(() => delete a!['kind']).toThrow(TypeError);
  });

  test.each<[string, Query, secureDelete: boolean]>([
    ['in the large pages of an export', { limit: 1_000 }, false],
    ['where what is deleted must leave nothing behind', ALL, true],
  ])('are read again %s', async (_, query, secureDelete) => {
    const reader = openSqliteDocuments({ path, secureDelete });
    const before = await found(query, reader);
    const after = await found(query, reader);
    await reader.close();
    expect(after).toEqual(before);
    expect(after['a']).not.toBe(before['a']);
  });
});

describe('the cache', () => {
  /** @param since of later commits, the bodies too */
  const versions = (since = Infinity): RowVersion[] => {
    const database = openDatabase(path);
    const [joined] = database
      .prepare<[Buffer]>(joinedBodies(`SELECT ${ROW_VERSION} FROM things ORDER BY id`))
      .get([Math.min(since, Number.MAX_SAFE_INTEGER)])!;
    database.close();
    return readRowVersions(joined);
  };

  test('has no documents of versions that were replaced or deleted before they were read', async () => {
    const database = openDatabase(path);
    const cache = createDocumentCache(database, 100_000);
    const seen = versions();
    await put(documents, { _id: 'b', kind: 'tip' });
    expect(cache.read('things', seen)).toBeNull();
    expect(cache.read('things', [seen[0]!, seen[2]!])?.map(({ _id }) => _id)).toEqual(['a', 'c']);
    expect(cache.read('things', versions())?.map(({ kind }) => kind)).toEqual(['fee', 'tip', 'fee']);
    await documents.commit({ writes: [{ collection: 'things', id: 'a', document: null }] });
    expect(createDocumentCache(database, 100_000).read('things', seen.slice(0, 1))).toBeNull();
    database.close();
  });

  test('has what was read with its version, also when it has changed since', async () => {
    const database = openDatabase(path);
    const cache = createDocumentCache(database, 100_000);
    const rows = versions(0);
    await put(documents, { _id: 'b', kind: 'tip' });
    expect(cache.read('things', rows)?.map(({ kind }) => kind)).toEqual(['fee', 'fee', 'fee']);
    expect(cache.read('things', versions())?.map(({ kind }) => kind)).toEqual(['fee', 'tip', 'fee']);
    database.close();
  });

  test('forgets what was read the longest ago when it is full', async () => {
    await put(documents, ...['a', 'b', 'c'].map(_id => ({ _id, text: 'x'.repeat(1_000) })));
    const [a, b, c] = versions();
    const database = openDatabase(path);
    // Two bytes for a character: two documents fit, and a third does not.
    const cache = createDocumentCache(database, 6_000);
    const read = (...of: (RowVersion | undefined)[]) => cache.read('things', of as RowVersion[])!;
    const [first, second] = read(a, b);
    expect(read(a)[0]).toBe(first);
    read(c);
    expect(read(a)[0]).toBe(first);
    expect(read(b)[0]).toEqual(second);
    expect(read(b)[0]).not.toBe(second);
    database.close();
  });
});
