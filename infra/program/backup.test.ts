import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../test/temporary-folder';
import { backup } from './backup';
import { readConfig } from './settings/config';

const DATA_DIR = temporaryFolder();

it('makes no folders above that of the backup: a mistyped path is refused', async () => {
  const parent = join(DATA_DIR, 'mistyped');
  await expect(backup(readConfig({ DATA_DIR }), join(parent, 'monday'))).rejects.toThrow(
    `${join(parent, 'monday')}: there is no folder ${parent}`,
  );
  expect(existsSync(parent)).toBe(false);
});
