import fc from 'fast-check';
import type { Document } from '../../../contracts/ports/documents';
import { answer, arbitraryDice, documentsOf, INDEXES, queryFrom, type Strings } from './model';
import { idsOf, type DocumentsHarness, puts } from './harness';
import { runs } from '../../random';

const INVOICES = {
  name: 'invoices',
  indexes: [
    {
      fields: [
        ['owner', 'asc'],
        ['due', 'desc'],
      ],
    },
  ],
} as const;
const invoices: Document[] = [
  { _id: '1', owner: 'ann', due: 10 },
  { _id: '2', owner: 'ann', due: 30 },
  { _id: '3', owner: 'bob', due: 20 },
  { _id: '4', owner: 'ann', due: 20 },
  { _id: '5', owner: 'bob', due: 9 },
];

export function describeFinding({ fresh }: DocumentsHarness, strings: Strings): void {
  describe('finding', () => {
    test.each([
      [{ filter: { owner: 'ann' }, order: [['due', 'desc']] }, ['2', '4', '1']],
      [{ filter: { owner: 'ann' }, order: [['due', 'asc']] }, ['1', '4', '2']],
      [{ filter: { owner: 'ann', due: { gt: 10, lte: 30 } }, order: [['due', 'desc']] }, ['2', '4']],
      [{ filter: { owner: { in: ['bob', 'ann'] } }, order: [['due', 'desc']] }, ['2', '4', '3', '1', '5']],
      [{ filter: { owner: { in: ['bob'] }, due: { in: [9, 20, 9] } } }, ['3', '5']],
      [{ filter: { owner: { in: [] } }, order: [['due', 'desc']] }, []],
      [
        {
          order: [
            ['owner', 'desc'],
            ['due', 'asc'],
          ],
        },
        ['5', '3', '1', '4', '2'],
      ],
      [{ filter: { _id: { in: ['5', '9', '2'] } } }, ['2', '5']],
      [{ filter: { _id: { gte: '4' } } }, ['4', '5']],
      [{ filter: { owner: 'ann', due: { lt: 'a' } }, order: [['due', 'desc']] }, []],
      [{}, ['1', '2', '3', '4', '5']],
    ] as const)('%j', async (query, ids) => {
      const documents = await fresh();
      await documents.declare([INVOICES]);
      await documents.commit({ writes: puts('invoices', invoices) });
      const page = await documents.find('invoices', { ...query, limit: 10 });
      expect(idsOf(page.documents)).toEqual(ids);
      expect(page.next).toBeNull();
    });

    test('equals filtering and sorting a list, in pages, with skip and scan', async () => {
      const documents = await fresh();
      let run = 0;
      await fc.assert(
        fc.asyncProperty(
          documentsOf(strings),
          fc.array(arbitraryDice, { minLength: 8, maxLength: 8 }),
          fc.integer({ min: 1, max: 7 }),
          fc.nat({ max: 9 }),
          async (all, throws, limit, skip) => {
            const name = `things@${(run += 1)}`;
            await documents.declare([{ name, indexes: INDEXES }]);
            await documents.commit({ writes: puts(name, all) });
            for (const dice of throws) {
              const query = { ...queryFrom(all, dice), limit };
              const expected = idsOf(answer(all, query));

              const scanned: string[] = [];
              for await (const page of documents.scan(name, query)) scanned.push(...idsOf(page));
              expect({ query, ids: scanned }).toEqual({ query, ids: expected });

              const skipped = await documents.find(name, { ...query, skip });
              expect(idsOf(skipped.documents)).toEqual(expected.slice(skip, skip + limit));
              expect(skipped.next === null).toBe(skip + limit >= expected.length);
            }
            await documents.drop(name);
          },
        ),
        runs(20),
      );
    });

    test('finds decimals of any precision', async () => {
      const documents = await fresh();
      await documents.declare([{ name: 'rates', indexes: [{ fields: [['rate', 'asc']] }] }]);
      const decimal = fc.double({ noNaN: true, noDefaultInfinity: true }).filter(n => !Number.isInteger(n));
      await fc.assert(
        fc.asyncProperty(fc.uniqueArray(decimal, { minLength: 1 }), async rates => {
          const named = rates.map(rate => ({ _id: String(rate), rate }));
          await documents.commit({ writes: puts('rates', named) });
          const found = await documents.find('rates', {
            filter: { rate: { in: rates.slice(0, 100) } },
            limit: 200,
          });
          expect(found.documents).toHaveLength(Math.min(rates.length, 100));
        }),
        runs(20),
      );
    });
  });
}
