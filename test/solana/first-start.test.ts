import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Documents } from '../../contracts/ports/documents';
import { solanaBackfillsOf } from '../../indexers/solana/backfill/worker';
import { SOLANA_INDEXER_STATE } from '../../indexers/solana/indexer';
import { TON_INDEXER_STATE } from '../../indexers/ton/indexer';
import { openSqliteDocuments } from '../../infra/engines/documents/sqlite/sqlite-documents';
import { InMemoryEventStore } from '../doubles/event-store';
import { recordWatched } from '../doubles/watched-accounts';

let folder: string;
let documents: Documents;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tidemark-first-start-'));
  documents = openSqliteDocuments({ path: join(folder, 'documents.sqlite') });
});
afterEach(async () => {
  await documents.close();
  rmSync(folder, { recursive: true, force: true });
});

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
