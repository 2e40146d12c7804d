import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { temporaryFolder } from '../../../../test/temporary-folder';
import { openDatabase } from '../../sqlite/database';
import { openSqliteDocuments } from './sqlite-documents';

const folder = temporaryFolder();

test('a commit that waits for the write lock does not block reads', async () => {
  const path = join(folder, 'documents.db');
  const documents = openSqliteDocuments({ path });
  await documents.declare([{ name: 'things', indexes: [] }]);
  const other = openDatabase(path);
  other.exec('BEGIN IMMEDIATE');

  let committed = false;
  const commit = documents
    .commit({ writes: [{ collection: 'things', id: 'a', document: { _id: 'a' } }] })
    .then(() => (committed = true));
  for (let reads = 0; reads < 5; reads += 1) {
    await sleep(10);
    expect(await documents.get('things', 'a')).toBeNull();
  }
  expect(committed).toBe(false);

  other.exec('COMMIT');
  await commit;
  expect(await documents.get('things', 'a')).toEqual({ _id: 'a' });
  other.close();
  await documents.close();
});

test('declaring what exists does not wait for the write lock', async () => {
  const path = join(folder, 'declared.db');
  const documents = openSqliteDocuments({ path });
  const spec = { name: 'things', indexes: [{ fields: [['age', 'asc']] }], counts: [[]] } as const;
  await documents.declare([spec]);
  const other = openDatabase(path);
  other.exec('BEGIN IMMEDIATE');
  await documents.declare([spec]);
  await documents.declare([spec], { deferIndexes: true });
  other.exec('COMMIT');
  other.close();
  await documents.close();
});
