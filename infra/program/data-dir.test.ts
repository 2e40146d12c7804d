import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { claimDataDir } from './data-dir';

const folder = mkdtempSync(join(tmpdir(), 'tidemark-data-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the data folder', () => {
  it('belongs to one program at a time, until that one releases it', () => {
    const release = claimDataDir(folder);
    expect(() => claimDataDir(folder)).toThrow(
      `DATA_DIR: "${folder}": another tidemark is running on this folder`,
    );
    release();
    claimDataDir(folder)();
  });

  it('must be a folder', () => {
    const file = join(folder, 'file');
    writeFileSync(file, '');
    expect(() => claimDataDir(file)).toThrow(`DATA_DIR: "${file}": it is not a folder`);
  });
});
