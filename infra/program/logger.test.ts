import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { compiledPath } from '../engines/compiled-path';
import '../../test/starts-programs';

const LINES = 200;

/** Logs, and writes to standard error when it exits. */
const PROGRAM = `
  const { createLogger } = require(${JSON.stringify(compiledPath(join(__dirname, 'logger.ts')))});
  const logger = createLogger('info');
  for (let n = 0; n < ${LINES}; n++) logger.info({ n, token: 'not-for-your-eyes' }, 'x'.repeat(1_000));
  process.on('exit', () => process.stderr.write('exited'));`;

const run = async (stdout: 'pipe' | number) => {
  const child = spawn(process.execPath, ['-e', PROGRAM], { stdio: ['ignore', stdout, 'pipe'] });
  const [out, err] = await Promise.all([
    child.stdout ? text(child.stdout) : '',
    text(child.stderr!),
    once(child, 'close'),
  ]);
  return { code: child.exitCode, out, err };
};

test('each line is one JSON object, without secrets', async () => {
  const { code, out } = await run('pipe');
  const lines = out
    .trim()
    .split('\n')
    .map(line => JSON.parse(line) as { n: number; token: string });
  expect(code).toBe(0);
  expect(lines.map(({ n }) => n)).toEqual(Array.from({ length: LINES }, (_, n) => n));
  expect(lines[0]!.token).toBe('[redacted]');
});

test('on a terminal lines are readable, also without secrets', async () => {
  const command = `${process.execPath} -e '${PROGRAM.replaceAll("'", '"').replace(/\n/g, ' ')}'`;
  const child = spawn('script', ['-qec', command, '/dev/null'], { stdio: ['ignore', 'pipe', 'inherit'] });
  const out = await text(child.stdout);
  expect(out).toContain('INFO');
  expect(out).not.toContain('"msg"');
  expect(out).toContain('[redacted]');
  expect(out).not.toContain('not-for-your-eyes');
});

(existsSync('/dev/full') ? test : test.skip)(
  'a full disk loses lines of the log and does not end the program',
  async () => {
    expect(await run(openSync('/dev/full', 'w'))).toEqual({ code: 0, out: '', err: 'exited' });
  },
);
