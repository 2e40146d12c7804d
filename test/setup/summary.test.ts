import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const folder = mkdtempSync(join(tmpdir(), 'tidemark-summary-'));
afterAll(() => rmSync(folder, { recursive: true }));

const tested = (fullName: string, ...failureMessages: string[]) => ({
  fullName,
  status: failureMessages.length > 0 ? 'failed' : 'passed',
  failureMessages,
});

/** The results of a run, as jest writes them. */
function results(name: string, ...suites: { status: string; message?: string; tests: object[] }[]): string {
  const testResults = suites.map(({ status, message = '', tests }, n) => ({
    name: join(folder, `${n}.test.ts`),
    status,
    message,
    assertionResults: tests,
  }));
  const count = (status: string): number =>
    suites.flatMap(({ tests }) => tests as { status: string }[]).filter(test => test.status === status)
      .length;
  const file = join(folder, `${name}.json`);
  writeFileSync(
    file,
    JSON.stringify({
      numPassedTests: count('passed'),
      numFailedTests: count('failed'),
      numFailedTestSuites: suites.filter(({ status }) => status === 'failed').length,
      testResults,
    }),
  );
  return file;
}

function summary(...files: string[]): { status: number | null; lines: string[] } {
  const { status, stdout } = spawnSync(process.execPath, [join(__dirname, 'summary.js'), ...files], {
    cwd: folder,
    encoding: 'utf8',
  });
  return { status, lines: stdout.trimEnd().split('\n') };
}

const good = { status: 'passed', tests: [tested('adds'), tested('subtracts')] };

test('only counts the tests when all have passed', () => {
  expect(summary(results('one', good), results('two', good))).toEqual({
    status: 0,
    lines: ['4 passed, 0 failed'],
  });
});

test('names what failed, with the beginning of its message, before the count', () => {
  const message = `\u001b[31mexpected 2\u001b[39m\n\n${Array.from({ length: 99 }, (_, n) => `line ${n}`).join('\n')}`;
  const bad = { status: 'failed', tests: [tested('divides', message), tested('adds')] };
  const { status, lines } = summary(results('bad', good, bad));
  expect(status).toBe(1);
  expect(lines.slice(0, 2)).toEqual(['FAILED 1.test.ts: divides', '    expected 2']);
  expect(lines.at(-1)).toBe('3 passed, 1 failed');
  expect(lines.length).toBeLessThan(10);
});

test('counts as failed a suite that did not run, a run without a passed test, and one without a result', () => {
  const broken = { status: 'failed', message: 'Cannot find module', tests: [] };
  expect(summary(results('broken', good, broken), results('empty'), join(folder, 'none.json'))).toEqual({
    status: 1,
    lines: [
      'FAILED 1.test.ts',
      '    Cannot find module',
      'FAILED empty',
      '    no test passed',
      'FAILED none',
      '    the run left no result',
      '2 passed, 3 failed',
    ],
  });
});
