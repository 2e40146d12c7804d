import fc from 'fast-check';
import { type Document, UnanswerableQuery } from '../../../contracts/ports/documents';
import { deletions, type DocumentsHarness, puts } from './harness';
import { runs } from '../../random';

const COUNTS = [
  [],
  ['status'],
  ['status', 'owner.id'],
  { sumOf: 'size', by: [] },
  { sumOf: 'size', by: ['status', 'owner.id'] },
];
const status = fc.constantFrom('open', "o'clock, 'x'", 'NULL', null, 1, 0.1);
const owner = fc.option(fc.constantFrom('', 'a', '\0', '\x01'));
const size = fc.option(fc.integer({ min: -3, max: 1_000 }));
const write = fc.record({ id: fc.constantFrom(...'abcdefgh'), status, owner, size, deleted: fc.boolean() });
const commit = fc.uniqueArray(write, { selector: ({ id }) => id, maxLength: 6 });

export function describeCounting({ fresh }: DocumentsHarness): void {
  describe('counting', () => {
    test('and summing up agree with a recount after any commits', async () => {
      const documents = await fresh();
      let run = 0;
      await fc.assert(
        fc.asyncProperty(fc.array(commit, { maxLength: 5 }), fc.boolean(), async (commits, deferred) => {
          const name = `things@${(run += 1)}`;
          await documents.declare([{ name, indexes: [], counts: COUNTS }], { deferIndexes: deferred });
          const there = new Map<string, Document>();
          for (const [n, writes] of commits.entries()) {
            const before = new Set(there.keys());
            // Each other commit says which documents are new.
            const isNew = (id: string): boolean => n % 2 === 0 && !before.has(id);
            for (const { id, status, owner, size, deleted } of writes)
              if (deleted) there.delete(id);
              else there.set(id, { _id: id, status, size, owner: { id: owner } });
            await documents.commit({
              writes: writes.flatMap(({ id, deleted }) =>
                deleted
                  ? deletions(name, [id])
                  : puts(name, [there.get(id)!]).map(put => ({ ...put, isNew: isNew(id) })),
              ),
            });
          }
          await documents.declare([{ name, indexes: [], counts: COUNTS }]);
          const all = [...there.values()] as (Document & {
            status: string;
            size: number;
            owner: { id: string };
          })[];
          const sumOf = (some: typeof all): number => some.reduce((sum, { size }) => sum + size, 0);
          expect(await documents.count(name)).toBe(all.length);
          for (const { status, owner } of all) {
            const alike = all.filter(other => other.status === status);
            expect(await documents.count(name, { status })).toBe(alike.length);
            const sameOwner = alike.filter(other => other.owner.id === owner.id);
            expect(await documents.count(name, { 'owner.id': owner.id, status })).toBe(sameOwner.length);
            expect(await documents.sum(name, 'size', { 'owner.id': owner.id, status })).toBe(
              sumOf(sameOwner),
            );
          }
          expect(await documents.sum(name, 'size')).toBe(sumOf(all));
          expect(await documents.sum(name, 'size', { status: 'never', 'owner.id': null })).toBe(0);
          expect(await documents.count(name, { status: 'never' })).toBe(0);
          await documents.drop(name);
        }),
        runs(10),
      );
    });

    test('is rejected for fields that are not counted', async () => {
      const documents = await fresh();
      await documents.declare([{ name: 'things', indexes: [], counts: [['status']] }]);
      await expect(documents.count('things')).rejects.toThrow(UnanswerableQuery);
      await expect(documents.count('things', { owner: 'a' })).rejects.toThrow(UnanswerableQuery);
      await expect(documents.sum('things', 'status')).rejects.toThrow(UnanswerableQuery);
      await expect(documents.sum('things', 'size', { status: 'open' })).rejects.toThrow(UnanswerableQuery);
      const hostile = { status: { $ne: null } } as never;
      await expect(documents.count('things', hostile)).rejects.toThrow(UnanswerableQuery);
    });
  });
}
