import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { CheckpointMoved, type Commit, type Documents } from '../../../../contracts/ports/documents';
import { temporaryFolder } from '../../../../test/temporary-folder';
import { openSqliteDocuments } from './sqlite-documents';
import type { Catalog } from './catalog';
import { batchCommits, type PreparedCommit } from './commit-batching';
import { StaleEncoding } from './write-transaction';

const commitOf = (id: string, text = ''): Commit => ({
  writes: [{ collection: 'things', id, document: { _id: id, text } }],
});

describe('batched commits', () => {
  /** Transactions with predefined outcomes, which are recorded. */
  const transactions = (...ends: (Error | null)[]) => {
    const groups: string[][] = [];
    const refresh = jest.fn(() => true);
    const things = { name: 'things', fields: ['_id'], indexes: [], counts: [] };
    const catalog = { find: () => things, refresh } as unknown as Catalog;
    const commits = batchCommits(catalog, async (group: readonly PreparedCommit[]) => {
      groups.push(group.map(({ writes }) => writes[0]!.id));
      const end = ends.shift();
      if (end) throw end;
    });
    const add = (...ids: string[]) => Promise.allSettled(ids.map(id => commits.add(commitOf(id))));
    return { add, commits, groups, refresh };
  };
  const statuses = (outcomes: readonly PromiseSettledResult<void>[]) => outcomes.map(({ status }) => status);

  test('that arrive at once share a transaction', async () => {
    const { add, groups } = transactions();
    await add('a', 'b', 'c');
    await add('d');
    expect(groups).toEqual([['a', 'b', 'c'], ['d']]);
  });

  test('are applied even if one of them is refused', async () => {
    const moved = new CheckpointMoved('b');
    const { add, groups } = transactions(moved, null, moved);
    const outcomes = await add('a', 'b', 'c');
    expect(statuses(outcomes)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(outcomes[1]).toMatchObject({ reason: moved });
    expect(groups).toEqual([['a', 'b', 'c'], ['a'], ['b'], ['c']]);
  });

  test('fail together when the write lock cannot be acquired', async () => {
    const busy = Object.assign(new Error('database is locked'), { code: 'SQLITE_BUSY' });
    const { add, groups } = transactions(busy);
    expect(statuses(await add('a', 'b'))).toEqual(['rejected', 'rejected']);
    expect(groups).toHaveLength(1);
  });

  test('are encoded again when the fields of a collection have changed', async () => {
    const { add, groups, refresh } = transactions(new StaleEncoding('things'));
    expect(statuses(await add('a'))).toEqual(['fulfilled']);
    expect(groups).toEqual([['a'], ['a']]);
    expect(refresh).toHaveBeenCalledTimes(1);
  });

  test('are limited in size', async () => {
    const { commits, groups } = transactions();
    const large = 'x'.repeat(3 * 1024 * 1024);
    await Promise.all(['a', 'b', 'c'].map(id => commits.add(commitOf(id, large))));
    expect(groups).toEqual([['a', 'b'], ['c']]);
  });
});

describe.each([
  ['short', 10],
  ['long', 100_000],
])('%s concurrent commits', (_, length) => {
  const folder = temporaryFolder();
  let documents: Documents;
  beforeEach(async () => {
    documents = openSqliteDocuments({ path: join(mkdtempSync(join(folder, 'file-')), 'documents.db') });
    await documents.declare([{ name: 'things', indexes: [] }]);
  });
  afterEach(() => documents.close());

  const text = 'ä'.repeat(length);
  const commitAt = (name: string, position: number, expect: number | null): Commit => ({
    ...commitOf(`${name}${position}`, text),
    checkpoint: { name, value: { position }, expect: expect === null ? null : { position: expect } },
  });

  test('are stored each with its own checkpoint', async () => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f'];
    await Promise.all(names.map(name => documents.commit(commitAt(name, 1, null))));
    for (const name of names) {
      expect(await documents.get('things', `${name}1`)).toEqual({ _id: `${name}1`, text });
      expect(await documents.checkpoint(name)).toEqual({ position: 1 });
    }
  });

  test('are refused individually', async () => {
    await documents.commit(commitAt('b', 1, null));
    const outcomes = await Promise.allSettled(
      [commitAt('a', 1, null), commitAt('b', 2, null), commitAt('c', 1, null), commitAt('c', 2, 1)].map(
        documents.commit,
      ),
    );
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled']);
    expect(outcomes[1]).toMatchObject({ reason: expect.any(CheckpointMoved) as CheckpointMoved });
    expect(await documents.get('things', 'b2')).toBeNull();
    expect(await documents.get('things', 'c2')).toEqual({ _id: 'c2', text });
    expect(await documents.checkpoint('b')).toEqual({ position: 1 });
    expect(await documents.checkpoint('c')).toEqual({ position: 2 });
  });
});
