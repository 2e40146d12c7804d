import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../test/temporary-folder';
import { claimDataDir } from './data-dir-claim';
import { isNewDataDir } from './data-dir-files';
import { openEmbeddedEngines } from './engines';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});

it.each([
  ['does not exist', () => join(folder, 'none')],
  ['is empty', () => folder],
  [
    'has only what systems create',
    () => {
      mkdirSync(join(folder, 'lost+found'));
      writeFileSync(join(folder, '.DS_Store'), '');
      return folder;
    },
  ],
  [
    'a program that did not start has claimed',
    () => {
      claimDataDir(folder)();
      return folder;
    },
  ],
])('a folder that %s is new', (_what, given) => {
  expect(isNewDataDir(given())).toBe(true);
});

it('a folder with data of the program is not new, whatever else is in it', async () => {
  await openEmbeddedEngines({ DATA_DIR: folder }).close();
  writeFileSync(join(folder, 'notes.md'), '');
  expect(isNewDataDir(folder)).toBe(false);
});

it('the keys of an installation are data of the program', () => {
  mkdirSync(join(folder, 'keys'));
  expect(isNewDataDir(folder)).toBe(false);
});

it('a folder of something else is refused, with some of what is in it', () => {
  for (const name of ['a.md', 'b.md', 'c.md', 'd.md']) writeFileSync(join(folder, name), '');
  expect(() => isNewDataDir(folder)).toThrow(
    `DATA_DIR: ${JSON.stringify(folder)}: it is a folder of something else (a.md, b.md, c.md, …). Name the data folder, or one`,
  );
});
