import { existsSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../test/temporary-folder';
import { makeDataDir } from './data-dir';

const folder = temporaryFolder();

describe('the data folder', () => {
  it('is made with the folders above it, for its owner alone, and stays as it is where there is one', () => {
    const path = join(folder, 'a', 'b', 'data');
    makeDataDir(path);
    writeFileSync(join(path, 'file'), '');
    makeDataDir(path);
    expect(existsSync(join(path, 'file'))).toBe(true);
    if (process.platform !== 'win32')
      for (const made of [path, join(folder, 'a')]) expect(statSync(made).mode & 0o777).toBe(0o700);
  });

  it.each([
    ['a file', () => join(folder, 'file')],
    ['below a file', () => join(folder, 'file', 'data')],
  ])('cannot be %s', (_, path) => {
    writeFileSync(join(folder, 'file'), '');
    expect(() => makeDataDir(path())).toThrow('it is not a folder');
  });

  const inProc = process.platform === 'linux' ? it : it.skip;
  inProc('cannot be where a file system takes no folders', () => {
    expect(() => makeDataDir('/proc/tidemark/data')).toThrow('no folder can be made there');
  });
});
