import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { compiledPath } from '../engines/compiled-path';
import '../../test/starts-programs';

const LINES = 200;

/** Logs, and writes to standard error when it exits. */
const LOAD = `const { createLogger } = require(${JSON.stringify(compiledPath(join(__dirname, 'logger.ts')))});`;
const PROGRAM = `
  ${LOAD}
  const logger = createLogger('info');
  for (let n = 0; n < ${LINES}; n++) logger.info({ n, token: 'not-for-your-eyes' }, 'x'.repeat(1_000));
  process.on('exit', () => process.stderr.write('exited'));`;

const run = async (stdout: 'pipe' | number, program?: string) => {
  const child = spawn(process.execPath, ['-e', program === undefined ? PROGRAM : LOAD + program], {
    stdio: ['ignore', stdout, 'pipe'],
  });
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

test('the stack of one fault is written once, for all callers that get it', async () => {
  const { out } = await run(
    'pipe',
    `const logger = createLogger('info');
     for (let n = 0; n < 12; n++) logger.error({ err: new Error('the disk is full') }, 'worker ' + n);
     logger.error({ err: new Error('another') }, 'worker');`,
  );
  const lines = out.trim().split('\n');
  expect(lines).toHaveLength(13);
  expect(lines.filter(line => line.includes(' at '))).toHaveLength(2);
  for (const line of lines.slice(0, 12)) expect(line).toContain('the disk is full');
});

test('lines are for people wherever they are asked for', async () => {
  const { out } = await run('pipe', `createLogger('info', 'stdout', 'pretty').info({ n: 1 }, 'up');`);
  expect(out).toMatch(/INFO.*: up/);
  expect(out).not.toContain('"msg"');
});

(existsSync('/dev/full') ? test : test.skip)(
  'a full disk loses lines of the log and does not end the program',
  async () => {
    expect(await run(openSync('/dev/full', 'w'))).toEqual({ code: 0, out: '', err: 'exited' });
  },
);
