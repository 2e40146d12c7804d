const { existsSync, readFileSync } = require('node:fs');
const process = require('node:process');
const { stripVTControlCharacters } = require('node:util');

/*
 * What `.ci/run` says at its end: how long each stage took, the slowest test files, what failed and how, and in the last line
 * the number of tests.
 */

const SLOWEST_FILES = 20;
/** More failures than these are named without their message. */
const EXPLAINED_FAILURES = 40;
const MESSAGE_LINES = 10;
/** Of a stage that is not tests. */
const OUTPUT_LINES = 25;
const LINE_CHARACTERS = 200;

/**
 * @typedef {object} Stage
 * @property {string} name
 * @property {number} seconds it took
 * @property {number} busy part of the machine's processor time that was used meanwhile, by whatever ran
 * @property {number} exitCode
 * @property {string} [results] the file of jest's JSON results, of a stage of tests
 * @property {string} output the end of what it wrote
 */

const nonEmpty = text =>
  stripVTControlCharacters(text)
    .split('\n')
    .filter(line => line.trim() !== '')
    .map(line => line.slice(0, LINE_CHARACTERS));

const relative = file => file.replace(`${process.cwd()}/`, '');

/** Of a suite: its failed tests, or why it did not run. */
function failuresOf({ name, status, message, assertionResults }) {
  const suite = relative(name);
  const tests = assertionResults
    .filter(test => test.status === 'failed')
    .map(({ fullName, failureMessages: [first = ''] }) => failure(`${suite}: ${fullName}`, first));
  return tests.length === 0 && status === 'failed' ? [failure(suite, message)] : tests;
}

const failure = (title, message) => ({ title, lines: nonEmpty(message).slice(0, MESSAGE_LINES) });

/** A stage that left no results, in which no test passed, or that failed although all tests passed, is a failure itself. */
function read({ name, exitCode, results, output }) {
  const failed = why => ({
    passed: 0,
    failures: [{ title: name, lines: [why, ...nonEmpty(output).slice(-OUTPUT_LINES)] }],
    files: [],
  });
  const none = { passed: 0, failures: [], files: [] };
  const exit = exitCode === 0 ? none : failed(`exit code ${exitCode}`);
  if (results === undefined) return exit;
  if (!existsSync(results)) return failed('the run left no result');
  const run = JSON.parse(readFileSync(results, 'utf8'));
  if (run.numPassedTests === 0) return failed('no test passed');
  const failures = run.testResults.flatMap(failuresOf);
  return {
    passed: run.numPassedTests,
    failures: failures.length === 0 ? exit.failures : failures,
    files: run.testResults.map(file => ({
      name: relative(file.name),
      stage: name,
      seconds: (file.endTime - file.startTime) / 1_000,
    })),
  };
}

const timed = (seconds, what) => `${seconds.toFixed(0).padStart(6)} s  ${what}`;

/**
 * @param {readonly Stage[]} stages
 * @param {number} seconds all took together, some of them beside others
 * @returns {{ failed: number, lines: string[] }}
 */
module.exports = function summary(stages, seconds) {
  const runs = stages.map(read);
  const failures = runs.flatMap(run => run.failures);
  const passed = runs.reduce((sum, run) => sum + run.passed, 0);
  const slowest = runs.flatMap(run => run.files).sort((one, other) => other.seconds - one.seconds);
  return {
    failed: failures.length,
    lines: [
      `The ${SLOWEST_FILES} slowest files:`,
      ...slowest.slice(0, SLOWEST_FILES).map(file => timed(file.seconds, `${file.stage}: ${file.name}`)),
      'Stages, of which some run beside each other, and how busy the processors were meanwhile:',
      ...stages.map(({ seconds: took, busy, name }) =>
        timed(took, `${name}, ${(100 * busy).toFixed(0)} % busy`),
      ),
      timed(seconds, 'in total'),
      ...failures.flatMap(({ title, lines }, n) => [
        `FAILED ${title}`,
        ...(n < EXPLAINED_FAILURES ? lines.map(line => `    ${line}`) : []),
      ]),
      `${passed} passed, ${failures.length} failed`,
    ],
  };
};
