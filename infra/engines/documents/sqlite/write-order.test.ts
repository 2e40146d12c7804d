import { join } from 'node:path';
import type { Document, Write } from '../../../../contracts/ports/documents';
import { temporaryFolder } from '../../../../test/temporary-folder';
import { openSqliteDocuments } from './sqlite-documents';

const COUNT = 500;
const folder = temporaryFolder();
const documents = openSqliteDocuments({ path: join(folder, 'documents.sqlite') });

afterAll(() => documents.close());

const put = (collection: string, id: number, place: number): Write => ({
  collection,
  id: String(id),
  document: { _id: String(id), place, parity: place % 2 },
});

it('applies the writes of a large commit in their order where a value is unique: each takes what another has freed', async () => {
  await documents.declare([{ name: 'seats', indexes: [{ fields: [['place', 'asc']], unique: true }] }]);
  await documents.commit({ writes: Array.from({ length: COUNT }, (_, n) => put('seats', n, n)) });
  const shifted = Array.from({ length: COUNT }, (_, n) => put('seats', COUNT - 1 - n, COUNT - n));
  await documents.commit({ writes: shifted });
  const { documents: first } = await documents.find<Document>('seats', {
    order: [['place', 'asc']],
    limit: 2,
  });
  expect(first.map(({ _id, place }) => [_id, place])).toEqual([
    ['0', 1],
    ['1', 2],
  ]);
});

it('stores, replaces and removes all documents of large commits, whatever indexes there are', async () => {
  const indexes = [
    { fields: [['place', 'desc']] },
    {
      fields: [
        ['parity', 'asc'],
        ['place', 'desc'],
      ],
    },
  ] as const;
  await documents.declare([{ name: 'rows', indexes }]);
  const scattered = Array.from({ length: COUNT }, (_, n) => (n * 7) % COUNT);
  await documents.commit({ writes: scattered.map((place, n) => put('rows', n, place)) });
  const changes = scattered.map((place, n): Write =>
    place < 10 ? { collection: 'rows', id: String(n), document: null } : put('rows', n, place + 1),
  );
  await documents.commit({ writes: changes });
  const { documents: found } = await documents.find<Document>('rows', {
    order: [['place', 'desc']],
    limit: COUNT,
  });
  expect(found.map(({ place }) => place)).toEqual(Array.from({ length: COUNT - 10 }, (_, n) => COUNT - n));
});
