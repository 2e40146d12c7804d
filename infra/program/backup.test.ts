import { existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../test/temporary-folder';
import { backup } from './backup';
import { readConfig } from './settings/config';

const DATA_DIR = temporaryFolder();

it.each([
  ['in the data folder', () => join(DATA_DIR, 'monday')],
  ['deeper in it', () => join(DATA_DIR, 'backups', 'monday')],
  ['in it by a link', () => join(linkTo(DATA_DIR), 'monday')],
])('a folder that would be lost with the data is refused: %s', async (_, folderOf) => {
  mkdirSync(join(DATA_DIR, 'backups'), { recursive: true });
  const folder = folderOf();
  await expect(backup(readConfig({ DATA_DIR }), folder)).rejects.toThrow('it is inside of DATA_DIR');
  expect(existsSync(folder)).toBe(false);
});

it('a folder beside the data folder, of a name that begins alike, is none in it', async () => {
  const folder = `${DATA_DIR}-monday`;
  await expect(backup(readConfig({ DATA_DIR }), folder)).resolves.toMatchObject({ folder });
});

function linkTo(folder: string): string {
  const link = join(temporaryFolder(), 'link');
  symlinkSync(folder, link);
  return link;
}

it('makes no folders above that of the backup: a mistyped path is refused', async () => {
  const parent = join(temporaryFolder(), 'mistyped');
  await expect(backup(readConfig({ DATA_DIR }), join(parent, 'monday'))).rejects.toThrow(
    `${join(parent, 'monday')}: there is no folder ${parent}`,
  );
  expect(existsSync(parent)).toBe(false);
});
