import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { openSqliteDocuments } from '../../infra/engines/documents/sqlite/sqlite-documents';
import { describeLedgerTree } from '../../test/ledger-tree/suite';
import { temporaryFolder } from '../../test/temporary-folder';

describeLedgerTree('SQLite', () => {
  const folder = temporaryFolder();
  return {
    open: async () => openSqliteDocuments({ path: join(folder, `${randomUUID()}.sqlite`) }),
    remove: async () => rmSync(folder, { recursive: true }),
  };
});
