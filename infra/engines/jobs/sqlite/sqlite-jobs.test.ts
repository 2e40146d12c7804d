import { join } from 'node:path';
import { describeJobs } from '../../../../test/contracts/jobs';
import { temporaryFolder } from '../../../../test/temporary-folder';
import { openSqliteJobs } from './sqlite-jobs';

const folder = temporaryFolder();

describeJobs('SQLite', async place => openSqliteJobs({ path: join(folder, `${place}.db`) }));
