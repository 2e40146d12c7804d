import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beginCell } from '@ton/core';
import { temporaryFolder } from '../../../../test/temporary-folder';
import { librariesIn } from './libraries';

const file = join(temporaryFolder(), 'libraries.txt');
const cells = [1, 2].map(n => beginCell().storeUint(n, 8).endCell());
const lines = cells.map(cell => cell.toBoc().toString('base64'));

it('has a cell of each line', async () => {
  writeFileSync(file, `${lines.join('\n\n')}\n`);
  const hashes = (await librariesIn(file)).map(cell => cell.hash());
  expect(hashes).toEqual(cells.map(cell => cell.hash()));
  expect(await librariesIn(undefined)).toEqual([]);
});

it('names the line that is none', async () => {
  writeFileSync(file, `${lines[0]}\nnot a cell\n`);
  await expect(librariesIn(file)).rejects.toThrow(`${file}:2: no bag of cells in base64`);
});

it('names the file that is not there', () =>
  expect(librariesIn(`${file}.none`)).rejects.toThrow(`${file}.none: there is no such file`));
