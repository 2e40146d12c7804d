import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { backup } from './backup';
import { readConfig } from './settings/config';

const DATA_DIR = mkdtempSync(join(tmpdir(), 'tidemark-backup-'));
afterAll(() => rmSync(DATA_DIR, { recursive: true }));

it('makes no folders above that of the backup: a mistyped path is refused', async () => {
  const parent = join(DATA_DIR, 'mistyped');
  await expect(backup(readConfig({ DATA_DIR }), join(parent, 'monday'))).rejects.toThrow(
    `${join(parent, 'monday')}: there is no folder ${parent}`,
  );
  expect(existsSync(parent)).toBe(false);
});
