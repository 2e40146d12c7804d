import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../test/temporary-folder';
import { compiledPath } from '../engines/compiled-path';

const ROOT = join(__dirname, '..', '..');
const { engines } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  engines: { node: string };
};

const folder = temporaryFolder();

/** Runs a script on this Node, which says that it is another version. */
function runAs(version: string, script: string) {
  const pretend = join(folder, `${version}.js`);
  writeFileSync(
    pretend,
    `const { versions } = process;
     Object.defineProperty(process, 'versions', { value: { ...versions, node: '${version}' } });
     Object.defineProperty(process, 'version', { value: 'v${version}' });`,
  );
  return spawnSync(process.execPath, ['--require', pretend, script, '--help'], { encoding: 'utf8' });
}

const PROGRAMS = [join(ROOT, 'infra/build/compile.js'), compiledPath('infra/cli/main.ts')];

test.each(PROGRAMS)('%s says one line on a Node that is too old', program => {
  for (const version of ['18.20.8', '20.18.3'])
    expect(runAs(version, program)).toMatchObject({
      status: 1,
      stdout: '',
      stderr: `tidemark needs Node 20.19 or later; this is v${version}\n`,
    });
});

test('the oldest Node is the one that package.json names', () => {
  expect(engines.node).toBe('>=20.19');
  expect(runAs('20.19.0', compiledPath('infra/cli/main.ts')).status).toBe(0);
});
