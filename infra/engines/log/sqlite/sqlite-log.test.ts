import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeLog } from '../../../../test/contracts/log';
import { openSqliteLog } from './sqlite-log';

const folder = mkdtempSync(join(tmpdir(), 'log-'));
afterAll(() => rmSync(folder, { recursive: true }));

describeLog('SQLite', async place => openSqliteLog({ path: join(folder, `${place}.db`) }));
