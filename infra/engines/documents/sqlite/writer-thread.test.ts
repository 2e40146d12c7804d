import { join } from 'node:path';
import {
  CheckpointMoved,
  type Documents,
  DuplicateKey,
  UnknownCollection,
  type Write,
} from '../../../../contracts/ports/documents';
import { temporaryFolder } from '../../../../test/temporary-folder';
import { openSqliteDocuments } from './sqlite-documents';

const folder = temporaryFolder();

/** So many that the commit is done by the thread. */
const LONG = 1_500;

const NUMBERS = {
  name: 'numbers',
  indexes: [{ fields: [['n', 'asc'] as const] }],
  counts: [['parity']],
};
const number = (n: number, more: object = {}): Write => ({
  collection: 'numbers',
  id: `${n}`,
  document: { _id: `${n}`, n, parity: n % 2 ? 'odd' : 'even', text: 'ä"\\\u2028', ...more },
});
const upTo = (end: number): Write[] => Array.from({ length: end }, (_, n) => number(n));

describe('a long commit', () => {
  let documents: Documents;
  let files = 0;
  let path = '';
  beforeEach(async () => {
    path = join(folder, `${(files += 1)}.db`);
    documents = openSqliteDocuments({ path });
    await documents.declare([NUMBERS]);
  });
  afterEach(() => documents.close());

  const at = (position: number, expect: number | null) => ({
    name: 'numbers',
    value: { position },
    expect: expect === null ? null : { position: expect },
  });

  test('has the same effects as a short one', async () => {
    await documents.commit({ writes: upTo(LONG), checkpoint: at(1, null) });
    expect(await documents.get('numbers', '7')).toEqual(number(7).document);
    expect(await documents.count('numbers', { parity: 'odd' })).toBe(LONG / 2);
    const { documents: found } = await documents.find('numbers', {
      filter: { n: { gte: LONG - 2 } },
      order: [['n', 'asc']],
      limit: 10,
    });
    expect(found.map(({ n }) => n)).toEqual([LONG - 2, LONG - 1]);
    expect(await documents.checkpoint('numbers')).toEqual({ position: 1 });

    const odd = upTo(LONG).map(write => (Number(write.id) % 2 ? { ...write, document: null } : write));
    await documents.commit({ writes: odd });
    expect(await documents.get('numbers', '7')).toBeNull();
    expect(await documents.count('numbers', { parity: 'odd' })).toBe(0);
    expect(await documents.count('numbers', { parity: 'even' })).toBe(LONG / 2);
  });

  test('wakes waiters', async () => {
    const changed = documents.waitForChange(['numbers'], 60_000);
    await documents.commit({ writes: upTo(LONG) });
    await changed;
  });

  test('is refused as a whole, with the errors of a short one', async () => {
    await documents.declare([
      NUMBERS,
      { name: 'unique', indexes: [{ fields: [['n', 'asc']], unique: true }] },
    ]);
    await documents.commit({ writes: [], checkpoint: at(5, null) });
    const moved = documents.commit({ writes: upTo(LONG), checkpoint: at(6, 4) });
    await expect(moved).rejects.toThrow(CheckpointMoved);

    const twice = upTo(LONG).map(write => ({ ...write, collection: 'unique' }));
    twice.push({ collection: 'unique', id: 'x', document: { _id: 'x', n: 3 } });
    await expect(documents.commit({ writes: [number(1), ...twice] })).rejects.toThrow(DuplicateKey);

    const unknown = upTo(LONG).map(write => ({ ...write, collection: 'unknown' }));
    await expect(documents.commit({ writes: [number(1), ...unknown] })).rejects.toThrow(UnknownCollection);

    expect(await documents.get('numbers', '1')).toBeNull();
    expect(await documents.checkpoint('numbers')).toEqual({ position: 5 });
  });

  test('and short ones are applied in order', async () => {
    const long = upTo(LONG).map(({ id }) => number(Number(id), { by: 'long' }));
    await Promise.all([
      documents.commit({ writes: [number(1, { by: 'first' })] }),
      documents.commit({ writes: long }),
      documents.commit({ writes: [number(2, { by: 'last' })] }),
    ]);
    expect(await documents.get('numbers', '1')).toMatchObject({ by: 'long' });
    expect(await documents.get('numbers', '2')).toMatchObject({ by: 'last' });
  });

  test('uses the fields that another process has declared meanwhile', async () => {
    await documents.commit({ writes: upTo(LONG) });
    const other = openSqliteDocuments({ path });
    const byText = { ...NUMBERS, indexes: [...NUMBERS.indexes, { fields: [['text', 'asc'] as const] }] };
    await other.declare([byText]);
    const changed = upTo(LONG).map(({ id }) => number(Number(id), { text: `text ${id}` }));
    await documents.commit({ writes: changed });
    const { documents: found } = await other.find('numbers', { filter: { text: 'text 77' }, limit: 10 });
    expect(found).toEqual([number(77, { text: 'text 77' }).document]);
    await other.close();
  });

  test('finishes before a later declaration of its collection', async () => {
    await documents.declare([{ ...NUMBERS, name: 'later' }], { deferIndexes: true });
    await documents.commit({ writes: upTo(LONG).map(write => ({ ...write, collection: 'later' })) });
    await documents.declare([{ ...NUMBERS, name: 'later' }]);
    expect(await documents.count('later', { parity: 'even' })).toBe(LONG / 2);
    expect((await documents.find('later', { filter: { n: 5 }, limit: 10 })).documents).toHaveLength(1);
  });

  test('and one an hour later have the same effects as short ones', async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'clearImmediate', 'queueMicrotask'] });
    try {
      await documents.commit({ writes: upTo(LONG) });
      jest.advanceTimersByTime(3_600_000);
      await documents.commit({ writes: upTo(LONG).map(({ id }) => number(Number(id), { by: 'later' })) });
    } finally {
      jest.useRealTimers();
    }
    expect(await documents.get('numbers', '7')).toMatchObject({ by: 'later' });
  });

  test('finishes before the documents are closed', async () => {
    const committed = documents.commit({ writes: upTo(LONG) });
    await documents.close();
    await committed;
    documents = openSqliteDocuments({ path });
    expect(await documents.count('numbers', { parity: 'even' })).toBe(LONG / 2);
  });
});
