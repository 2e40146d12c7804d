import fc from 'fast-check';
import {
  type Document,
  DuplicateKey,
  type IndexSpec,
  type Query,
  type Write,
} from '../../../contracts/ports/documents';
import { runs } from '../../random';
import { deletions, type DocumentsHarness, puts } from './harness';
import { answer, INDEXES } from './model';

/** Two generations of a collection, with the same ids. */
const NAMES = ['things@1', 'things@2'] as const;
const UNIQUE: IndexSpec = { fields: [['code', 'asc']], unique: true };
const specOf = (name: string) => ({ name, indexes: [...INDEXES, UNIQUE] });
const IDS = ['a', 'b', 'c', 'd'] as const;
const QUERIES: readonly Query[] = [
  { limit: 10 },
  { order: [['number', 'desc']], limit: 2 },
  { filter: { kind: 'fee' }, order: [['number', 'desc']], limit: 10 },
];

/** Adapters may write a long text in another way than a short one. */
const note = fc.oneof(
  { weight: 9, arbitrary: fc.constantFrom('', 'short', 'long'.repeat(100)) },
  { weight: 1, arbitrary: fc.constant('very long'.repeat(30_000)) },
);

const arbitraryChange = fc.record({
  name: fc.constantFrom(...NAMES),
  id: fc.constantFrom(...IDS),
  fields: fc.option(
    fc.record({
      kind: fc.constantFrom('fee', 'tip'),
      number: fc.nat({ max: 2 }),
      note,
      nested: fc.record({ flag: fc.boolean() }),
    }),
  ),
});

const arbitraryStep = fc.record({
  client: fc.nat({ max: 1 }),
  /** Refused after its writes, which a document with the unique value of another follows. */
  end: fc.oneof(
    { weight: 6, arbitrary: fc.constant('committed' as const) },
    { weight: 2, arbitrary: fc.constant('refused' as const) },
    { weight: 1, arbitrary: fc.constant('dropped' as const) },
  ),
  changes: fc.uniqueArray(arbitraryChange, { selector: ({ name, id }) => `${name}/${id}`, minLength: 1 }),
});

export function describeFindingAgain({ fresh, another }: DocumentsHarness): void {
  test('finds each document as it was last committed, by any client that has read or written it before', async () => {
    const clients = [await fresh(), await another()] as const;
    const reset = async (name: string): Promise<void> => {
      await clients[0].drop(name);
      await clients[0].declare([specOf(name)]);
    };
    await fc.assert(
      fc.asyncProperty(fc.array(arbitraryStep, { minLength: 1, maxLength: 12 }), async steps => {
        const model = new Map<string, Map<string, Document>>(NAMES.map(name => [name, new Map()]));
        for (const name of NAMES) await reset(name);
        for (const { client, end, changes } of steps) {
          const [{ name }] = changes as [(typeof changes)[0]];
          const writes = changes.flatMap(({ name, id, fields }): Write[] =>
            fields ? puts(name, [{ _id: id, code: id, ...fields }]) : deletions(name, [id]),
          );
          if (end === 'dropped') {
            model.get(name)!.clear();
            await reset(name);
          } else if (end === 'refused') {
            const clash = puts(name, [
              { _id: 'x', code: 'x' },
              { _id: 'y', code: 'x' },
            ]);
            const commit = clients[client]!.commit({ writes: [...writes, ...clash] });
            await expect(commit).rejects.toThrow(DuplicateKey);
          } else {
            await clients[client]!.commit({ writes });
            for (const { collection, id, document } of writes)
              if (document) model.get(collection)!.set(id, document);
              else model.get(collection)!.delete(id);
          }
          for (const reader of clients)
            for (const each of NAMES)
              for (const query of QUERIES) {
                const { documents } = await reader.find(each, query);
                expect(documents).toEqual(
                  answer([...model.get(each)!.values()], query).slice(0, query.limit),
                );
              }
        }
      }),
      runs(10),
    );
  });
}
