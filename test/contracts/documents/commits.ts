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
  });
}
