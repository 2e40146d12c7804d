import { type Document, InvalidCursor, type Query } from '../../../contracts/ports/documents';
import { deletions, idsOf, type DocumentsHarness, puts } from './harness';

const BY_OWNER = {
  fields: [
    ['owner', 'asc'],
    ['due', 'desc'],
  ],
} as const;
const query: Query = { filter: { owner: 'ann' }, order: [['due', 'desc']], limit: 2 };
const invoices: Document[] = [5, 5, 5, null, 7].map((due, i) => ({ _id: `${i}`, owner: 'ann', due }));
const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

export function describePaging({ fresh }: DocumentsHarness): void {
  const filled = async () => {
    const documents = await fresh();
    await documents.declare([
      { name: 'invoices@1', indexes: [BY_OWNER] },
      { name: 'invoices@2', indexes: [BY_OWNER] },
      { name: 'receipts', indexes: [BY_OWNER] },
    ]);
    for (const name of ['invoices@1', 'invoices@2', 'receipts'])
      await documents.commit({ writes: puts(name, invoices) });
    return documents;
  };

  describe('paging', () => {
    test('continues after the last page, through ties and nulls', async () => {
      const documents = await filled();
      const first = await documents.find('invoices@1', query);
      const second = await documents.find('invoices@1', { ...query, cursor: first.next! });
      const third = await documents.find('invoices@1', { ...query, cursor: second.next! });
      expect([first, second, third].map(page => idsOf(page.documents))).toEqual([
        ['4', '2'],
        ['1', '0'],
        ['3'],
      ]);
      expect(third.next).toBeNull();
    });

    test('orders null, numbers and strings of one field, in both directions', async () => {
      const documents = await fresh();
      await documents.declare([{ name: 'things', indexes: [{ fields: [['due', 'asc']] }] }]);
      const dues = [null, -1, 0.5, 2, '', '1', 'a'];
      const things = dues.map((due, i) => ({ _id: `${i}`, due }));
      await documents.commit({ writes: puts('things', [...things].reverse()) });
      for (const direction of ['asc', 'desc'] as const) {
        const read: Document[] = [];
        for await (const page of documents.scan('things', { order: [['due', direction]], limit: 1 }))
          read.push(...page);
        expect(read).toEqual(direction === 'asc' ? things : [...things].reverse());
      }
    });

    test('repeats and misses nothing when documents are added and removed in between', async () => {
      const documents = await filled();
      const first = await documents.find('invoices@1', query);
      await documents.commit({
        writes: [
          ...deletions('invoices@1', ['2']),
          ...puts('invoices@1', [{ _id: 'new', owner: 'ann', due: 9 }]),
        ],
      });
      const second = await documents.find('invoices@1', { ...query, cursor: first.next! });
      expect(idsOf(second.documents)).toEqual(['1', '0']);
    });

    test('a forged cursor does not leave the range of the filter', async () => {
      const documents = await filled();
      const ranged: Query = { ...query, filter: { owner: 'ann', due: { lte: 6 } }, limit: 1 };
      const { next } = await documents.find('invoices@1', ranged);
      const [shape] = JSON.parse(Buffer.from(next!, 'base64url').toString()) as [string];
      const page = await documents.find('invoices@1', {
        ...ranged,
        limit: 9,
        cursor: encode([shape, 99, 'z']),
      });
      expect(idsOf(page.documents)).toEqual(['2', '1', '0']);
    });

    test('skips on the first page only', async () => {
      const documents = await filled();
      const first = await documents.find('invoices@1', { ...query, skip: 1 });
      const second = await documents.find('invoices@1', { ...query, skip: 1, cursor: first.next! });
      expect([first, second].map(page => idsOf(page.documents))).toEqual([
        ['2', '1'],
        ['0', '3'],
      ]);
    });

    test('a cursor is valid for other limits and generations, and for no other query', async () => {
      const documents = await filled();
      const { next } = await documents.find('invoices@1', query);
      const cursor = next!;
      const later = await documents.find('invoices@2', { ...query, cursor, limit: 9 });
      expect(idsOf(later.documents)).toEqual(['1', '0', '3']);
      for (const foreign of [
        () => documents.find('receipts', { ...query, cursor }),
        () => documents.find('invoices@1', { ...query, cursor, order: [['due', 'asc']] }),
        () => documents.find('invoices@1', { ...query, cursor, filter: { owner: 'bob' } }),
        () => documents.find('invoices@1', { limit: 2, cursor }),
      ])
        await expect(foreign()).rejects.toThrow(InvalidCursor);
    });

    test('rejects invalid cursors', async () => {
      const documents = await filled();
      const { next } = await documents.find('invoices@1', query);
      const [shape] = JSON.parse(Buffer.from(next!, 'base64url').toString()) as [string];
      const forged = [
        '',
        'x',
        '%00',
        next!.slice(0, -4),
        encode(null),
        encode({}),
        encode([]),
        encode([shape]),
      ];
      forged.push(encode([shape, 5]), encode([shape, 5, 6]), encode([shape, { $ne: null }, 'a']));
      forged.push(encode([shape, 5, 'a', 'b']), encode([shape, 1e300, 'a']));
      for (const cursor of forged)
        await expect(documents.find('invoices@1', { ...query, cursor })).rejects.toThrow(InvalidCursor);
    });
  });
}
