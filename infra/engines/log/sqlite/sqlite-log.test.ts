import { join } from 'node:path';
import { describeLog } from '../../../../test/contracts/log';
import { temporaryFolder } from '../../../../test/temporary-folder';
import { openSqliteLog } from './sqlite-log';

const folder = temporaryFolder();

describeLog('SQLite', async place => openSqliteLog({ path: join(folder, `${place}.db`) }));
