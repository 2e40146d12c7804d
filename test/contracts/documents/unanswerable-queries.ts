import { UnanswerableQuery, UnknownCollection } from '../../../contracts/ports/documents';
import type { DocumentsHarness } from './harness';

const INVOICES = {
  name: 'invoices',
  indexes: [
    {
      fields: [
        ['owner', 'asc'],
        ['due', 'desc'],
      ],
    },
    { fields: [['status', 'asc']] },
  ],
} as const;

export function describeUnanswerableQueries({ fresh }: DocumentsHarness): void {
  describe('a query is rejected', () => {
    test.each([
      ['a filter without an index', { filter: { amount: 1 } }],
      ['an order without an index', { order: [['due', 'desc']] }],
      ['equality with half an index, in an order that it does not have', { filter: { owner: 'ann' } }],
      ['half an order', { order: [['owner', 'asc']] }],
      [
        'directions that no index has',
        {
          order: [
            ['owner', 'asc'],
            ['due', 'asc'],
          ],
        },
      ],
      [
        'a tie-breaker in the other direction',
        {
          filter: { owner: 'a' },
          order: [
            ['due', 'desc'],
            ['_id', 'asc'],
          ],
        },
      ],
      ['a range that is not ordered by', { filter: { owner: 'ann', due: { gt: 1 } } }],
      [
        'a range after the order',
        {
          filter: { due: { gt: 1 } },
          order: [
            ['owner', 'asc'],
            ['due', 'desc'],
          ],
        },
      ],
      [
        'two ranges',
        {
          filter: { owner: { gt: 'a' }, due: { gt: 1 } },
          order: [
            ['owner', 'asc'],
            ['due', 'desc'],
          ],
        },
      ],
      ['an equality that is not in the index', { filter: { status: 'open', owner: 'ann' } }],
      ['an operator of MongoDB', { filter: { status: { $ne: null } } }],
      ['an object', { filter: { status: { a: 1 } } }],
      ['an empty object', { filter: { status: {} } }],
      ['a list', { filter: { status: ['open'] } }],
      ['a list in a list', { filter: { status: { in: [['open']] } } }],
      ['in and a range', { filter: { status: { in: ['open'], gt: 'a' } } }],
      ['nothing', { filter: { status: undefined } }],
      ['not a number', { filter: { status: NaN } }],
      ['an integer that is not exact', { filter: { status: 2 ** 60 } }],
      ['a range from null', { filter: { status: { gt: null } }, order: [['status', 'asc']] }],
      ['a range between kinds', { filter: { status: { gt: 1, lt: 'a' } }, order: [['status', 'asc']] }],
      ['too many values', { filter: { status: { in: Array.from({ length: 101 }, (_, n) => n) } } }],
      [
        'an order by one field twice',
        {
          order: [
            ['status', 'asc'],
            ['status', 'asc'],
          ],
        },
      ],
      [
        'an order beyond the id',
        {
          order: [
            ['_id', 'asc'],
            ['status', 'asc'],
          ],
        },
      ],
      ['no limit', { limit: 0 }],
      ['half a limit', { limit: 1.5 }],
      ['any limit', { limit: 1e9 }],
      ['a negative skip', { skip: -1 }],
      ['a field that is SQL', { filter: { 'status" IS NULL --': 1 } }],
    ])('for %s', async (_, query) => {
      const documents = await fresh();
      await documents.declare([INVOICES]);
      const found = documents.find('invoices', { limit: 10, ...query } as never);
      await expect(found).rejects.toThrow(UnanswerableQuery);
    });

    test('for a collection that was not declared', async () => {
      const documents = await fresh();
      await expect(documents.find('invoices', { limit: 1 })).rejects.toThrow(UnknownCollection);
      const scan = documents.scan('invoices', { limit: 1 })[Symbol.asyncIterator]();
      await expect(scan.next()).rejects.toThrow(UnknownCollection);
    });
  });
}
