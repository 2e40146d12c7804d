const { existsSync, readFileSync } = require('node:fs');
const { basename } = require('node:path');
const process = require('node:process');
const { stripVTControlCharacters } = require('node:util');

/*
 * node test/setup/summary.js RESULTS...
 *
 * Prints which tests failed and how, from the JSON results of jest; the last line counts the tests of all runs. A run that
 * left no result, or in which no test passed, counts as a failure.
 */

const MAX_SHOWN_FAILURES = 40;
const MAX_MESSAGE_LINES = 6;
const MAX_LINE_CHARACTERS = 200;

/** @returns {{ passed: number, failed: number, failures: { title: string, message: string }[] }} */
function read(file) {
  const failure = message => ({
    passed: 0,
    failed: 1,
    failures: [{ title: basename(file, '.json'), message }],
  });
  if (!existsSync(file)) return failure('the run left no result');
  const run = JSON.parse(readFileSync(file, 'utf8'));
  if (run.numPassedTests === 0) return failure('no test passed');
  return {
    passed: run.numPassedTests,
    failed: Math.max(run.numFailedTests, run.numFailedTestSuites),
    failures: run.testResults.flatMap(failuresOf),
  };
}

/** Of a suite: its failed tests, or why it did not run. */
function failuresOf({ name, status, message, assertionResults }) {
  const suite = name.replace(`${process.cwd()}/`, '');
  const tests = assertionResults
    .filter(test => test.status === 'failed')
    .map(({ fullName, failureMessages: [first = ''] }) => ({
      title: `${suite}: ${fullName}`,
      message: first,
    }));
  return tests.length === 0 && status === 'failed' ? [{ title: suite, message }] : tests;
}

function beginning(message) {
  return stripVTControlCharacters(message)
    .split('\n')
    .filter(line => line.trim() !== '')
    .slice(0, MAX_MESSAGE_LINES)
    .map(line => `    ${line.slice(0, MAX_LINE_CHARACTERS)}`);
}

function summary(files) {
  const runs = files.map(read);
  const sum = what => runs.reduce((total, run) => total + run[what], 0);
  const failures = runs.flatMap(run => run.failures);
  const lines = failures
    .slice(0, MAX_SHOWN_FAILURES)
    .flatMap(({ title, message }) => [`FAILED ${title}`, ...beginning(message)]);
  if (failures.length > MAX_SHOWN_FAILURES) lines.push(`and ${failures.length - MAX_SHOWN_FAILURES} more`);
  return { failed: sum('failed'), lines: [...lines, `${sum('passed')} passed, ${sum('failed')} failed`] };
}

const { failed, lines } = summary(process.argv.slice(2));
process.stdout.write(`${lines.join('\n')}\n`);
process.exitCode = failed > 0 ? 1 : 0;
