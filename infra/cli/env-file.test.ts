import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../test/temporary-folder';
import { compiledPath } from '../engines/compiled-path';

const folder = temporaryFolder();

/** Runs a command in a folder with a `.env`. */
function tidemark(name: string, env: Record<string, string>) {
  const { PATH } = process.env;
  return spawnSync(process.execPath, [compiledPath('infra/cli/main.ts'), 'token'], {
    cwd: join(folder, name),
    env: { PATH: PATH!, ...env },
    encoding: 'utf8',
  });
}
const given = (name: string, text: string): string => {
  mkdirSync(join(folder, name));
  writeFileSync(join(folder, name, '.env'), text);
  return name;
};

it('has settings for whatever is not in the environment', () => {
  const name = given('settings', '# mine\nSECURE_SESSION_MAX_AGE=soon\nLOG_LEVEL="loud"\n');
  const { status, stderr } = tidemark(name, {});
  expect(status).toBe(64);
  expect(stderr).toContain('SECURE_SESSION_MAX_AGE="soon"');
  expect(stderr).toContain('LOG_LEVEL="loud"');
  const overridden = tidemark(name, { LOG_LEVEL: 'info' });
  expect(overridden.stderr).toContain('SECURE_SESSION_MAX_AGE="soon"');
  expect(overridden.stderr).not.toContain('LOG_LEVEL');
});

it('is not read by tests', () => {
  expect(tidemark(given('tests', 'LOG_LEVEL=loud\n'), { NODE_ENV: 'test' }).stderr).not.toContain(
    'LOG_LEVEL',
  );
});

it.each([
  ['PORT: 3005', 1],
  ['# mine\n\nLOG_LEVEL=info\nPORT 3005\n', 4],
  ['A="two\nlines"\nPORT', 3],
])('that has a line which sets nothing is refused: %j', (text, line) => {
  expect(tidemark(given(`line-${line}-${text.length}`, text), {})).toMatchObject({
    status: 64,
    stderr: `error: .env cannot be read: line ${line} is neither NAME=value nor a comment\n`,
  });
});

it('may have comments, values of several lines, and assignments of a shell', () => {
  const text =
    '\uFEFF# it\'s mine\r\n\r\n\t # "\nexport LOG_LEVEL=loud # "\nNOTE=\'a "b\n c: d\'\nOTHER = "x\nMETRICS_PORT=`\nmany` # c\n';
  const { status, stderr } = tidemark(given('shapes', text), {});
  expect({ status, stderr }).toMatchObject({
    status: 64,
    stderr: expect.stringMatching(/LOG_LEVEL="loud"(.|\n)*METRICS_PORT="\\nmany"/) as string,
  });
});

it('that cannot be read is named in one line', () => {
  mkdirSync(join(folder, 'unreadable', '.env'), { recursive: true });
  expect(tidemark('unreadable', {})).toMatchObject({
    status: 64,
    stderr: 'error: .env cannot be read: it is a folder\n',
  });
});
