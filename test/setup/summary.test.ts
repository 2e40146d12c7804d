import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import summary from './summary';

const folder = mkdtempSync(join(tmpdir(), 'tidemark-summary-'));
afterAll(() => rmSync(folder, { recursive: true }));

const tested = (fullName: string, ...failureMessages: string[]) => ({
  fullName,
  status: failureMessages.length > 0 ? 'failed' : 'passed',
  failureMessages,
});

interface Suite {
  readonly status: string;
  readonly message?: string;
  readonly seconds?: number;
  readonly tests: readonly { status: string }[];
}

/** A stage whose suites are in the files 0.test.ts, 1.test.ts and so on, with the results as jest writes them. */
function stage(name: string, ...suites: Suite[]) {
  const tests = suites.flatMap(suite => suite.tests);
  const results = join(folder, `${name}.json`);
  const run = {
    numPassedTests: tests.filter(test => test.status === 'passed').length,
    testResults: suites.map(({ status, message = '', seconds = 0, tests }, n) => ({
      name: join(process.cwd(), `${n}.test.ts`),
      status,
      message,
      startTime: 1_000,
      endTime: 1_000 + seconds * 1_000,
      assertionResults: tests,
    })),
  };
  writeFileSync(results, JSON.stringify(run));
  const exitCode = suites.some(({ status }) => status === 'failed') ? 1 : 0;
  return { name, seconds: 1, busy: 0.5, exitCode, results, output: '' };
}

type Stage = Omit<ReturnType<typeof stage>, 'results'> & { readonly results?: string };

/** What is said of failures and tests, after the times. */
function failures(...stages: Stage[]): string[] {
  const { failed, lines } = summary(stages, 60);
  expect(lines.at(-1)).toMatch(new RegExp(` ${failed} failed$`));
  return lines.slice(lines.findIndex(line => line.endsWith(' in total')) + 1);
}

const good: Suite = { status: 'passed', tests: [tested('adds'), tested('subtracts')] };

it('only counts the tests when all have passed', () => {
  expect(failures(stage('one', good), stage('two', good))).toEqual(['4 passed, 0 failed']);
});

it('names what failed, with the beginning of its message, before the count', () => {
  const message = `\u001b[31mexpected 2\u001b[39m\n\n${Array.from({ length: 99 }, (_, n) => `line ${n}`).join('\n')}`;
  const bad = { status: 'failed', tests: [tested('divides', message), tested('adds')] };
  const lines = failures(stage('bad', good, bad));
  expect(lines.slice(0, 2)).toEqual(['FAILED 1.test.ts: divides', '    expected 2']);
  expect(lines.at(-1)).toBe('3 passed, 1 failed');
  expect(lines.length).toBeLessThan(20);
});

it('names every failure, however many there are', () => {
  const tests = Array.from({ length: 99 }, (_, n) => tested(`fails ${n}.`, 'one\ntwo'));
  const lines = failures(stage('many', good, { status: 'failed', tests }));
  for (const { fullName } of tests) expect(lines).toContain(`FAILED 1.test.ts: ${fullName}`);
  expect(lines.at(-1)).toBe('2 passed, 99 failed');
});

it('counts as failed a suite that did not run, a run without a passed test, and one without a result', () => {
  const broken: Suite = { status: 'failed', message: 'Cannot find module', tests: [] };
  const none = {
    name: 'none',
    seconds: 1,
    busy: 1,
    exitCode: 1,
    results: join(folder, 'x.json'),
    output: 'killed',
  };
  expect(failures(stage('broken', good, broken), stage('empty'), none)).toEqual([
    'FAILED 1.test.ts',
    '    Cannot find module',
    'FAILED empty',
    '    no test passed',
    'FAILED none',
    '    the run left no result',
    '    killed',
    '2 passed, 3 failed',
  ]);
});

it('counts as failed a stage without tests that failed, and one that failed although its tests passed', () => {
  const lint = {
    name: 'lint',
    seconds: 1,
    busy: 1,
    exitCode: 2,
    output: 'a.ts\n  1:1  error  no-debugger\n',
  };
  expect(
    failures({ ...lint, name: 'typecheck', exitCode: 0 }, lint, { ...stage('one', good), exitCode: 1 }),
  ).toEqual([
    'FAILED lint',
    '    exit code 2',
    '    a.ts',
    '      1:1  error  no-debugger',
    'FAILED one',
    '    exit code 1',
    '2 passed, 2 failed',
  ]);
});

it('says how long each stage and all together took, how busy the processors were, and which twenty files took longest', () => {
  const suites = Array.from({ length: 30 }, (_, n) => ({ ...good, seconds: n }));
  const { lines } = summary(
    [
      { ...stage('fast', good), seconds: 2 },
      { ...stage('slow', ...suites), seconds: 61, busy: 0.974 },
    ],
    63,
  );
  expect(lines).toEqual([
    'The 20 slowest files:',
    ...Array.from({ length: 20 }, (_, n) => `${String(29 - n).padStart(6)} s  slow: ${29 - n}.test.ts`),
    'Stages, of which some run beside each other, and how busy the processors were meanwhile:',
    '     2 s  fast, 50 % busy',
    '    61 s  slow, 97 % busy',
    '    63 s  in total',
    '62 passed, 0 failed',
  ]);
});
