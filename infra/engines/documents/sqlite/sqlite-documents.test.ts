import { join } from 'node:path';
import { describeDocuments } from '../../../../test/contracts/documents';
import { temporaryFolder } from '../../../../test/temporary-folder';
import { openSqliteDocuments } from './sqlite-documents';

const folder = temporaryFolder();

describeDocuments('SQLite', async place => openSqliteDocuments({ path: join(folder, `${place}.db`) }));
