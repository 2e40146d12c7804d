import { execFileSync } from 'node:child_process';
import { tmpdir } from 'node:os';

/** In a process of its own: an environment changes the one that it is made in. */
const SCRIPT = `
const { existsSync, mkdtempSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');
const Environment = require('./environment');
const projectConfig = { globals: {}, testEnvironmentOptions: {}, fakeTimers: {} };
const environment = new Environment({ globalConfig: {}, projectConfig }, { console, docblockPragmas: {} });
const [own, left] = [tmpdir(), mkdtempSync(join(tmpdir(), 'left-'))];
environment.teardown().then(() =>
  console.log(JSON.stringify({ own, after: tmpdir(), exists: [own, left].map(each => existsSync(each)) })),
);`;

it('gives each test file a folder for temporary files, which is deleted after it', () => {
  const output = execFileSync(process.execPath, ['--eval', SCRIPT], { cwd: __dirname, encoding: 'utf8' });
  const { own, after, exists } = JSON.parse(output) as { own: string; after: string; exists: boolean[] };
  expect(after).toBe(tmpdir());
  expect(own.startsWith(after)).toBe(true);
  expect(own).not.toBe(after);
  expect(exists).toEqual([false, false]);
});
