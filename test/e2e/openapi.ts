import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { send } from './client';
import type { Installation } from './installation';

const LINT = join(__dirname, '..', 'openapi', 'lint.js');

const run = promisify(execFile);

export function openApi(main: Installation): void {
  it('has no fault for the published linter and parser', async () => {
    const { body } = await send(main.program.url, 'GET', '/openapi.json');
    const file = join(main.folder, 'openapi.json');
    writeFileSync(file, JSON.stringify(body));
    const { stdout } = await run(process.execPath, [LINT, file]);
    expect(stdout).toBe('');
  });
}
