import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeDocuments } from '../../../../test/contracts/documents';
import { openSqliteDocuments } from './sqlite-documents';

const folder = mkdtempSync(join(tmpdir(), 'documents-'));
afterAll(() => rmSync(folder, { recursive: true }));

describeDocuments('SQLite', async place => openSqliteDocuments({ path: join(folder, `${place}.db`) }));
