import { join } from 'node:path';
import type { Documents } from '../../contracts/ports/documents';
import { solanaBackfillsOf } from '../../indexers/solana/backfill/worker';
import { SOLANA_INDEXER_STATE } from '../../indexers/solana/indexer';
import { TON_INDEXER_STATE } from '../../indexers/ton/indexer';
import { openSqliteDocuments } from '../../infra/engines/documents/sqlite/sqlite-documents';
import { InMemoryEventStore } from '../doubles/event-store';
import { recordWatched } from '../doubles/watched-accounts';
import { temporaryFolder } from '../temporary-folder';

let folder: string;
let documents: Documents;
beforeEach(() => {
  folder = temporaryFolder();
  documents = openSqliteDocuments({ path: join(folder, 'documents.sqlite') });
});
afterEach(() => documents.close());

test('before any indexer has run there are no backfills to enqueue again', async () => {
  const store = new InMemoryEventStore();
  await recordWatched(store, { chain: 'solana', network: 'mainnet', address: 'Alice' });
  const backfillsOf = await solanaBackfillsOf(documents);
  for await (const events of store.readAll()) expect(events.flatMap(backfillsOf)).toEqual([]);
});

test.each([
  ['TON', TON_INDEXER_STATE],
  ['Solana', SOLANA_INDEXER_STATE],
])('before the indexer of %s has run there is no status of it', async (_, { status }) => {
  expect(await status(documents)).toEqual([]);
});
