import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A new folder. It is deleted once the tests of the file have ended, see test/setup/environment.js. */
export function temporaryFolder(): string {
  return mkdtempSync(join(tmpdir(), 'folder-'));
}
