import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqliteDocuments } from '../../infra/engines/documents/sqlite/sqlite-documents';
import { describeLedgerTree } from '../../test/ledger-tree/suite';

describeLedgerTree('SQLite', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tidemark-ledger-tree-'));
  return {
    open: async () => openSqliteDocuments({ path: join(folder, `${randomUUID()}.sqlite`) }),
    remove: async () => rmSync(folder, { recursive: true }),
  };
});
