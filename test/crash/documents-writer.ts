import { openSqliteDocuments } from '../../infra/engines/documents/sqlite/sqlite-documents';

/**
 * Commits forever: the n-th commit sets `last`, one of ten others and so many of the collection `many` to n, and moves
 * the checkpoint from n - 1 to n.
 */
const write = async (path: string, many: number): Promise<void> => {
  const documents = openSqliteDocuments({ path });
  const found = await documents.checkpoint('writer');
  let n = found && 'position' in found ? found.position : 0;
  for (;;) {
    n += 1;
    const numbers = ['last', `${n % 10}`].map(id => ({ collection: 'numbers', id }));
    const others = Array.from({ length: many }, (_, i) => ({ collection: 'many', id: `${i}` }));
    await documents.commit({
      writes: [...numbers, ...others].map(key => ({ ...key, document: { _id: key.id, n } })),
      checkpoint: { name: 'writer', value: { position: n }, expect: n === 1 ? null : { position: n - 1 } },
    });
  }
};

void write(process.argv[2]!, Number(process.argv[3]));
