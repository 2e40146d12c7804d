import { chmodSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../test/temporary-folder';
import { makeDataDir, warnOfOpenDataDir } from '../config/data-dir';
import { claimDataDir, isDataDirClaimed } from './data-dir-claim';

const folder = temporaryFolder();

describe('the data folder', () => {
  it('belongs to one program at a time, until that one releases it', () => {
    expect(isDataDirClaimed(folder)).toBe(false);
    const release = claimDataDir(folder);
    expect(isDataDirClaimed(folder)).toBe(true);
    expect(() => claimDataDir(folder)).toThrow(
      `DATA_DIR: "${folder}": another tidemark is running on this folder`,
    );
    release();
    claimDataDir(folder)();
  });

  it.each([0o000, 0o022])('is created for its owner only, whatever the umask is: %o', umask => {
    const before = process.umask(umask);
    try {
      const created = join(folder, `umask-${umask}`);
      makeDataDir(created);
      expect(statSync(created).mode & 0o777).toBe(0o700);
    } finally {
      process.umask(before);
    }
  });

  it.each([
    [0o700, []],
    [0o755, ['755']],
    [0o770, ['770']],
  ])(
    'that existed with mode %o is named in a warning when others may look into it, and stays as it is',
    (mode, warned) => {
      const warn = jest.fn();
      chmodSync(folder, mode);
      claimDataDir(folder)();
      warnOfOpenDataDir(folder, { warn });
      expect(warn.mock.calls.map(([{ mode: named }]) => named as string)).toEqual(warned);
      expect(statSync(folder).mode & 0o777).toBe(mode);
    },
  );

  it('must be a folder', () => {
    const file = join(folder, 'file');
    writeFileSync(file, '');
    expect(() => claimDataDir(file)).toThrow(`DATA_DIR: "${file}": it is not a folder`);
  });
});
