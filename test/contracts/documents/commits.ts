import fc from 'fast-check';
import { CheckpointMoved, type Document, DuplicateKey } from '../../../contracts/ports/documents';
import { deletions, type DocumentsHarness, puts } from './harness';
import { runs } from '../../random';

const PEOPLE = { name: 'people', indexes: [{ fields: [['address.email', 'asc']], unique: true }] } as const;
const person = (_id: string, email: string | null): Document => ({ _id, address: { email } });

export function describeCommits({ fresh, another }: DocumentsHarness): void {
  describe('a commit', () => {
    test('creates, replaces and deletes', async () => {
      const documents = await fresh();
      await documents.declare([{ name: 'people', indexes: [] }]);
      await documents.commit({
        writes: puts('people', [
          { _id: 'a', n: 1 },
          { _id: 'b', old: true },
        ]),
      });
      await documents.commit({
        writes: [...puts('people', [{ _id: 'b', n: 2 }]), ...deletions('people', ['a', 'never'])],
      });
      expect(await documents.get('people', 'a')).toBeNull();
      expect(await documents.get('people', 'b')).toEqual({ _id: 'b', n: 2 });
      expect(await documents.getMany('people', ['a', 'b', 'b', 'c'])).toEqual(
        new Map([['b', { _id: 'b', n: 2 }]]),
      );
    });

    test('stores any JSON unchanged, under any id', async () => {
      const documents = await fresh();
      await documents.declare([{ name: 'things', indexes: [{ fields: [['a', 'asc']] }] }]);
      const id = fc.string({ unit: 'binary', minLength: 1 });
      const scalar = fc.oneof(fc.string({ unit: 'binary' }), fc.maxSafeInteger(), fc.constant(null));
      const long = { minLength: 200, maxLength: 600 };
      const text = fc.oneof(fc.string(long), fc.string({ ...long, unit: 'binary' }));
      const any = fc.jsonValue({ stringUnit: 'binary' });
      await fc.assert(
        fc.asyncProperty(id, scalar, any, text, async (_id, a, b, c) => {
          const document = JSON.parse(JSON.stringify({ _id, a, b, c })) as Document;
          await documents.commit({ writes: puts('things', [document]) });
          expect(await documents.get('things', _id)).toEqual(document);
          expect((await documents.getMany('things', [_id])).get(_id)).toEqual(document);
        }),
        runs(50),
      );
    });

    test('is all or nothing', async () => {
      const documents = await fresh();
      await documents.declare([PEOPLE, { name: 'log', indexes: [] }]);
      await documents.commit({ writes: puts('people', [person('a', 'x')]) });
      const commit = documents.commit({
        writes: [...puts('log', [{ _id: 'entry' }]), ...puts('people', [person('b', 'y'), person('c', 'x')])],
        checkpoint: { name: 'reader', value: { position: 7 } },
      });
      await expect(commit).rejects.toThrow(DuplicateKey);
      expect(await documents.get('log', 'entry')).toBeNull();
      expect(await documents.get('people', 'b')).toBeNull();
      expect(await documents.checkpoint('reader')).toBeNull();
    });

    test('applies its writes in order: a unique value is free once an earlier write has released it', async () => {
      const documents = await fresh();
      await documents.declare([PEOPLE]);
      await documents.commit({ writes: puts('people', [person('a', 'x'), person('b', 'y')]) });
      const early = [...puts('people', [person('c', 'x')]), ...deletions('people', ['a'])];
      await expect(documents.commit({ writes: early })).rejects.toThrow(DuplicateKey);
      await documents.commit({ writes: early.reverse() });
      await documents.commit({ writes: puts('people', [person('b', 'z'), person('d', 'y')]) });
      expect(await documents.getMany('people', ['a', 'b', 'c', 'd'])).toEqual(
        new Map(['b:z', 'c:x', 'd:y'].map(pair => [pair[0], person(pair[0]!, pair[2]!)])),
      );
    });

    test('of new documents takes the values that others release, and of none that there is', async () => {
      const documents = await fresh();
      await documents.declare([{ ...PEOPLE, counts: [[]] }]);
      const isNew = puts('people', [person('a', 'x'), person('b', 'y')]).map(put => ({
        ...put,
        isNew: true,
      }));
      await documents.commit({ writes: isNew });
      await documents.commit({
        writes: [
          ...puts('people', [person('a', 'z')]),
          { collection: 'people', id: 'c', document: person('c', 'x'), isNew: true },
          ...deletions('people', ['b']),
        ],
      });
      expect(await documents.getMany('people', ['a', 'b', 'c'])).toEqual(
        new Map([
          ['a', person('a', 'z')],
          ['c', person('c', 'x')],
        ]),
      );
      const taken = { collection: 'people', id: 'd', document: person('d', 'x'), isNew: true };
      await expect(documents.commit({ writes: [taken] })).rejects.toThrow(DuplicateKey);
      expect(await documents.count('people')).toBe(2);
    });

    test('a unique index treats a missing value as a value', async () => {
      const documents = await fresh();
      await documents.declare([PEOPLE]);
      await documents.commit({ writes: puts('people', [person('a', null)]) });
      await expect(documents.commit({ writes: puts('people', [{ _id: 'b' }]) })).rejects.toThrow(
        DuplicateKey,
      );
    });

    test('rejects a document under another id, and two writes of one document', async () => {
      const documents = await fresh();
      await documents.declare([PEOPLE]);
      const misplaced = [{ collection: 'people', id: 'a', document: person('b', 'x') }];
      await expect(documents.commit({ writes: misplaced })).rejects.toThrow(TypeError);
      const twice = [...puts('people', [person('a', 'x')]), ...deletions('people', ['a'])];
      await expect(documents.commit({ writes: twice })).rejects.toThrow(TypeError);
    });

    test.each([{ address: { email: ['x'] } }, { address: { email: {} } }, { address: [{ email: 'x' }] }])(
      'refuses what cannot be indexed: %j',
      async fields => {
        const documents = await fresh();
        await documents.declare([PEOPLE]);
        await expect(documents.commit({ writes: puts('people', [{ _id: 'a', ...fields }]) })).rejects.toThrow(
          TypeError,
        );
        expect(await documents.get('people', 'a')).toBeNull();
      },
    );

    test('accepts thousands of documents', async () => {
      const documents = await fresh();
      await documents.declare([{ name: 'things', indexes: [{ fields: [['n', 'asc']] }], counts: [[]] }]);
      const things = Array.from({ length: 5_000 }, (_, n) => ({ _id: `thing ${n}`, n }));
      await documents.commit({ writes: puts('things', things) });
      expect(await documents.count('things')).toBe(5_000);
      expect(
        await documents.getMany(
          'things',
          things.map(({ _id }) => _id),
        ),
      ).toHaveProperty('size', 5_000);
    });
  });

  describe('a checkpoint', () => {
    test('is stored with the writes, by name', async () => {
      const documents = await fresh();
      expect(await documents.checkpoint('fees')).toBeNull();
      await documents.commit({ writes: [], checkpoint: { name: 'fees', value: { position: 41 } } });
      await documents.commit({ writes: [], checkpoint: { name: 'ton', value: { offsets: { 'ton/0': 5 } } } });
      await documents.commit({ writes: [], checkpoint: { name: 'fees', value: { position: 42 } } });
      expect(await documents.checkpoint('fees')).toEqual({ position: 42 });
      expect(await (await another()).checkpoint('ton')).toEqual({ offsets: { 'ton/0': 5 } });
    });

    test('moves only from the expected value', async () => {
      const documents = await fresh();
      await documents.declare([{ name: 'people', indexes: [] }]);
      const move = (expected: number | null, position: number) =>
        documents.commit({
          writes: puts('people', [{ _id: 'a', position }]),
          checkpoint: {
            name: 'people',
            value: { position },
            expect: expected === null ? null : { position: expected },
          },
        });
      await move(null, 1);
      await move(1, 2);
      await expect(move(1, 3)).rejects.toThrow(CheckpointMoved);
      await expect(move(null, 3)).rejects.toThrow(CheckpointMoved);
      expect(await documents.checkpoint('people')).toEqual({ position: 2 });
      expect(await documents.get('people', 'a')).toEqual({ _id: 'a', position: 2 });
    });

    test('moves only from the expected stamp', async () => {
      const documents = await fresh();
      const move = (expected: string | null, stamp: string) =>
        documents.commit({
          writes: [],
          checkpoint: {
            name: 'people',
            value: { position: 1, stamp },
            expect: expected === null ? null : { position: 1, stamp: expected },
          },
        });
      await move(null, 'a');
      await move('a', 'b');
      await expect(move('a', 'c')).rejects.toThrow(CheckpointMoved);
      expect(await (await another()).checkpoint('people')).toEqual({ position: 1, stamp: 'b' });
    });

    test.each([true, false])(
      'is deleted only at the expected value, with documents: %s',
      async withDocument => {
        const documents = await fresh();
        await documents.declare([{ name: 'people', indexes: [] }]);
        const commit = (expected: number | null, position: number | null) =>
          documents.commit({
            writes: !withDocument
              ? []
              : position === null
                ? deletions('people', ['a'])
                : puts('people', [{ _id: 'a', position }]),
            checkpoint: {
              name: 'people',
              value: position === null ? null : { position },
              expect: expected === null ? null : { position: expected },
            },
          });
        const stored = async () => [
          await (await another()).checkpoint('people'),
          await documents.get('people', 'a'),
        ];
        const storedAt = (position: number | null) => [
          position && { position },
          withDocument && position ? { _id: 'a', position } : null,
        ];
        await commit(null, null);
        expect(await stored()).toEqual(storedAt(null));
        await commit(null, 1);
        await expect(commit(2, null)).rejects.toThrow(CheckpointMoved);
        await expect(commit(null, null)).rejects.toThrow(CheckpointMoved);
        expect(await stored()).toEqual(storedAt(1));
        await commit(1, null);
        expect(await stored()).toEqual(storedAt(null));
        await expect(commit(1, 2)).rejects.toThrow(CheckpointMoved);
        await expect(commit(1, null)).rejects.toThrow(CheckpointMoved);
        await commit(null, 3);
        expect(await stored()).toEqual(storedAt(3));
        await documents.commit({
          writes: withDocument ? deletions('people', ['a']) : [],
          checkpoint: { name: 'people', value: null },
        });
        expect(await stored()).toEqual(storedAt(null));
      },
    );

    test('is deleted by one of those who do so at the same time, or moved by another', async () => {
      const documents = await fresh();
      const other = await another();
      await documents.declare([{ name: 'people', indexes: [] }]);
      for (let round = 0; round < 10; round++) {
        const expected = { position: 1, stamp: String(round) };
        await documents.commit({
          writes: puts('people', [{ _id: 'a', round }]),
          checkpoint: { name: 'people', value: expected, expect: null },
        });
        const [deleted, moved] = await Promise.allSettled([
          documents.commit({
            writes: deletions('people', ['a']),
            checkpoint: { name: 'people', value: null, expect: expected },
          }),
          other.commit({
            writes: puts('people', [{ _id: 'a', round, moved: true }]),
            checkpoint: { name: 'people', value: { position: 2 }, expect: expected },
          }),
        ]);
        expect([deleted, moved].filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
        const isMoved = moved!.status === 'fulfilled';
        expect(await documents.checkpoint('people')).toEqual(isMoved ? { position: 2 } : null);
        expect(await documents.get('people', 'a')).toEqual(isMoved ? { _id: 'a', round, moved: true } : null);
        if (isMoved)
          await documents.commit({
            writes: deletions('people', ['a']),
            checkpoint: { name: 'people', value: null },
          });
      }
    });
  });
}
