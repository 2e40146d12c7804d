import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../test/temporary-folder';
import { folderSize } from './folder-size';

const folder = temporaryFolder();

it('is that of the files of a folder, without its folders', () => {
  expect(folderSize(join(folder, 'none'))).toBe(0);
  expect(folderSize(folder)).toBe(0);
  writeFileSync(join(folder, 'a'), 'xxx');
  writeFileSync(join(folder, 'b'), 'xxxx');
  mkdirSync(join(folder, 'c'));
  writeFileSync(join(folder, 'c', 'd'), 'x');
  expect(folderSize(folder)).toBe(7);
});
