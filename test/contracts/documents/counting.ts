import fc from 'fast-check';
import { type Document, UnanswerableQuery } from '../../../contracts/ports/documents';
import { deletions, type DocumentsHarness, puts } from './harness';
import { runs } from '../../random';

const COUNTS = [[], ['status'], ['status', 'owner.id']];
const status = fc.constantFrom('open', "o'clock, 'x'", 'NULL', null, 1, 0.1);
const owner = fc.option(fc.constantFrom('', 'a', '\0', '\x01'));
const write = fc.record({ id: fc.constantFrom(...'abcdefgh'), status, owner, deleted: fc.boolean() });
const commit = fc.uniqueArray(write, { selector: ({ id }) => id, maxLength: 6 });

export function describeCounting({ fresh }: DocumentsHarness): void {
  describe('counting', () => {
    test('agrees with a recount after any commits', async () => {
      const documents = await fresh();
      let run = 0;
      await fc.assert(
        fc.asyncProperty(fc.array(commit, { maxLength: 5 }), fc.boolean(), async (commits, deferred) => {
          const name = `things@${(run += 1)}`;
          await documents.declare([{ name, indexes: [], counts: COUNTS }], { deferIndexes: deferred });
          const there = new Map<string, Document>();
          for (const writes of commits) {
            for (const { id, status, owner, deleted } of writes)
              if (deleted) there.delete(id);
              else there.set(id, { _id: id, status, owner: { id: owner } });
            await documents.commit({
              writes: writes.flatMap(({ id, deleted }) =>
                deleted ? deletions(name, [id]) : puts(name, [there.get(id)!]),
              ),
            });
          }
          await documents.declare([{ name, indexes: [], counts: COUNTS }]);
          const all = [...there.values()] as (Document & { status: string; owner: { id: string } })[];
          expect(await documents.count(name)).toBe(all.length);
          for (const { status, owner } of all) {
            const alike = all.filter(other => other.status === status);
            expect(await documents.count(name, { status })).toBe(alike.length);
            expect(await documents.count(name, { 'owner.id': owner.id, status })).toBe(
              alike.filter(other => other.owner.id === owner.id).length,
            );
          }
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
      const hostile = { status: { $ne: null } } as never;
      await expect(documents.count('things', hostile)).rejects.toThrow(UnanswerableQuery);
    });
  });
}
