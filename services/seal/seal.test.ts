import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqliteDocuments } from '../../infra/engines/documents/sqlite/sqlite-documents';
import { describeSeal } from '../../test/seal/suite';

describeSeal('SQLite', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tidemark-seal-documents-'));
  return {
    open: async () => openSqliteDocuments({ path: join(folder, `${randomUUID()}.sqlite`) }),
    remove: async () => rmSync(folder, { recursive: true }),
  };
});
