import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { folderSize } from './folder-size';

const folder = mkdtempSync(join(tmpdir(), 'tidemark-folder-size-'));
afterAll(() => rmSync(folder, { recursive: true }));

it('is that of the files of a folder, without its folders', () => {
  expect(folderSize(join(folder, 'none'))).toBe(0);
  expect(folderSize(folder)).toBe(0);
  writeFileSync(join(folder, 'a'), 'xxx');
  writeFileSync(join(folder, 'b'), 'xxxx');
  mkdirSync(join(folder, 'c'));
  writeFileSync(join(folder, 'c', 'd'), 'x');
  expect(folderSize(folder)).toBe(7);
});
