import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeEventStore } from '../../../../test/contracts/event-store';
import { openSqliteEventStore } from './sqlite-event-store';

const folder = mkdtempSync(join(tmpdir(), 'event-store-'));
afterAll(() => rmSync(folder, { recursive: true }));

describeEventStore('SQLite', async place => openSqliteEventStore({ path: join(folder, `${place}.db`) }));
