import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { compiled } from '../engines/compiled';

const LINES = 200;

/** A program that logs, and says on standard error when it comes to its end. */
const PROGRAM = `
  const { createLogger } = require(${JSON.stringify(compiled(join(__dirname, 'logger.ts')))});
  const logger = createLogger('info');
  for (let n = 0; n < ${LINES}; n++) logger.info({ n, token: 'not-for-your-eyes' }, 'x'.repeat(1_000));
  process.on('exit', () => process.stderr.write('came to its end'));`;

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

(existsSync('/dev/full') ? test : test.skip)(
  'a full disk under the log costs lines, not the program',
  async () => {
    expect(await run(openSync('/dev/full', 'w'))).toEqual({ code: 0, out: '', err: 'came to its end' });
  },
);
