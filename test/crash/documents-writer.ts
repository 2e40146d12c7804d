import { openSqliteDocuments } from '../../infra/documents/sqlite';

/** Commits for ever: the n-th commit sets `last` and one of ten others to n, and moves the checkpoint from n - 1 to n. */
const write = async (path: string): Promise<void> => {
  const documents = openSqliteDocuments({ path });
  const found = await documents.checkpoint('writer');
  let n = found && 'position' in found ? found.position : 0;
  for (;;) {
    n += 1;
    await documents.commit({
      writes: ['last', `${n % 10}`].map(id => ({ collection: 'numbers', id, document: { _id: id, n } })),
      checkpoint: { name: 'writer', value: { position: n }, expect: n === 1 ? null : { position: n - 1 } },
    });
  }
};

void write(process.argv[2]!);
