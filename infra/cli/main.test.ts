import { spawnSync } from 'node:child_process';
import { compiledPath } from '../engines/compiled-path';

test('a reader that has read enough ends the command without a word', () => {
  const line = `"${process.execPath}" "${compiledPath('infra/cli/main.ts')}" --help | true`;
  const { status, stderr } = spawnSync('sh', ['-c', line], { encoding: 'utf8' });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
});
