import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeJobs } from '../../../../test/contracts/jobs';
import { openSqliteJobs } from './sqlite-jobs';

const folder = mkdtempSync(join(tmpdir(), 'jobs-'));
afterAll(() => rmSync(folder, { recursive: true }));

describeJobs('SQLite', async place => openSqliteJobs({ path: join(folder, `${place}.db`) }));
