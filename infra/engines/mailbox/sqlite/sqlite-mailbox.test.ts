import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeMailbox } from '../../../../test/contracts/mailbox';
import { openSqliteMailbox } from './sqlite-mailbox';

const folder = mkdtempSync(join(tmpdir(), 'mailbox-'));
afterAll(() => rmSync(folder, { recursive: true }));

const pathOf = (place: string): string => join(folder, `${place}.db`);

describeMailbox(
  'SQLite',
  async (place, settings) => openSqliteMailbox({ path: pathOf(place), ...settings }),
  place => ['sqlite', pathOf(place)],
);
