const { spawn } = require('node:child_process');
const { randomInt } = require('node:crypto');
const { once } = require('node:events');
const { mkdtempSync, rmSync } = require('node:fs');
const { cpus, tmpdir } = require('node:os');
const { delimiter, dirname, join } = require('node:path');
const { performance } = require('node:perf_hooks');
const process = require('node:process');
const { createInterface } = require('node:readline');
const { clearTimeout, setTimeout } = require('node:timers');
const ltsNode = require('./lts-node');
const summary = require('./summary');

/*
 * node test/setup/ci.js [--nightly]
 *
 * Everything a change must pass, on a clean clone. Random tests have a fresh seed each time, which is printed, and a small
 * size; with --nightly all of them run again in full size. PROPERTY_SEED repeats a run.
 *
 * `npm test` and the random tests run on the Node that is installed, whole programs on the one that `.nvmrc` names.
 */

/** A stage that takes longer hangs: it is ended, so that the others run and the end is reported. */
const MAX_SCRIPT_MINUTES = 25;

const nightly = process.argv.includes('--nightly');
const seed = process.env.PROPERTY_SEED ?? String(randomInt(2 ** 31));
const folder = mkdtempSync(join(tmpdir(), 'tidemark-ci-'));

const script = (name, settings) => ({
  name,
  command: ['run', name],
  minutes: MAX_SCRIPT_MINUTES,
  ...settings,
});
/** Of one test: a minute is enough for people, but the machine of CI may be busy. */
const limitOf = name => (name === 'test' ? ['--testTimeout=300000'] : []);
/**
 * @param scale of its random tests; see test/random.ts
 * @param part what it is called where a suite has several stages, and the arguments that select it
 */
const tests = (suite, scale, settings, [part, ...selected] = []) => {
  const name = [suite, part].filter(Boolean).join(' ');
  const results = join(folder, `${name}.json`);
  const jest = ['--json', `--outputFile=${results}`, ...limitOf(suite)];
  return {
    name,
    command: ['run', suite, '--', ...selected, ...jest],
    env: { PROPERTY_SCALE: String(scale) },
    results,
    ...settings,
  };
};

const ON_LTS = { onLts: true };
const INSTALL = { name: 'install', command: ['ci'] };
/** That every row of the bench runs: how fast is not judged. */
const BENCH = { name: 'bench', command: ['run', 'bench', '--', '--smallest', '--no-record'], ...ON_LTS };
/** The ports on servers: mostly they wait for a server that hangs, or is down. */
const ENGINES = ['engines', '--testPathIgnorePatterns', '/node_modules/', '/tidemark\\.'];
/** The whole program on servers of its own: each file starts up to ten processes, and nothing runs beside two of them. */
const PROGRAM_ON_SERVERS = ['tidemark', '--only', 'tidemark'];
const serverScale = nightly ? 9 : 1;
/**
 * Groups follow each other. The lines of a group run beside each other, the stages of a line one after the other. Tests have limits
 * of time: beside them runs only what mostly waits, and then the bench. `test:lts` checks the types.
 */
const GROUPS = [
  [[script('lint:rules', ON_LTS)], [script('test:lts', ON_LTS), script('lint:tree')]],
  [
    [tests('test', 1), tests('test:programs', 1, ON_LTS)],
    [tests('test:servers', serverScale, ON_LTS, ENGINES), BENCH],
  ],
  ...(nightly ? [[[tests('test:fuzz', 6), tests('test:crash', 12)]]] : []),
  [[tests('test:servers', serverScale, ON_LTS, PROGRAM_ON_SERVERS)]],
];

const OUTPUT_LINES = 100;
/** The bench is left out after so long: a slow machine has its time for the tests. */
const MAX_MINUTES_BEFORE_BENCH = nightly ? Infinity : 75;
/** As MAX_SCRIPT_MINUTES, of stages of tests. */
const MAX_STAGE_MINUTES = nightly ? 600 : 45;
const running = new Set();
/** Environment of what runs on the Node that `.nvmrc` names; known once that is installed. */
let lts;

function installLts() {
  const PATH = `${dirname(ltsNode(folder))}${delimiter}${process.env.PATH}`;
  // What one program has compiled the next one reads: a quarter less processor time for tests that start many.
  lts = { PATH, NODE_COMPILE_CACHE: join(folder, 'compiled') };
}

/** Ends a stage and what it has started. */
function end(child, signal) {
  try {
    process.kill(-child.pid, signal);
  } catch {
    // It has ended.
  }
}

/** Milliseconds that the cores of the machine have worked, and that they have had. */
function processorTime() {
  const all = cpus().map(({ times }) => ({
    ...times,
    total: Object.values(times).reduce((sum, ms) => sum + ms),
  }));
  const total = all.reduce((sum, times) => sum + times.total, 0);
  return { busy: total - all.reduce((sum, times) => sum + times.idle, 0), total };
}

/** @returns a function that says what part of the machine was busy since: one that is idle could run something beside it */
function watchProcessors() {
  const before = processorTime();
  return () => {
    const now = processorTime();
    return (now.busy - before.busy) / Math.max(1, now.total - before.total);
  };
}

/** Writes each line of the stage with its name before it. */
async function run({ name, command, env, onLts, results, minutes = MAX_STAGE_MINUTES }) {
  const began = performance.now();
  const busyPart = watchProcessors();
  const child = spawn('npm', command, {
    env: { ...process.env, PROPERTY_SEED: seed, ...env, ...(onLts && lts) },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A process group of its own.
    detached: true,
  });
  running.add(child);
  const output = [];
  const limit = setTimeout(() => {
    process.stdout.write(`${name} | ended after ${minutes} minutes, which is its limit\n`);
    end(child, 'SIGKILL');
  }, minutes * 60_000);
  for (const stream of [child.stdout, child.stderr])
    createInterface(stream).on('line', line => {
      process.stdout.write(`${name} | ${line}\n`);
      output.push(line);
      if (output.length > OUTPUT_LINES) output.shift();
    });
  const [code] = await once(child, 'close');
  clearTimeout(limit);
  running.delete(child);
  const seconds = (performance.now() - began) / 1_000;
  process.stdout.write(`${name} | ended with ${code} after ${seconds.toFixed(0)} s\n`);
  return { name, seconds, busy: busyPart(), exitCode: code ?? 1, output: output.join('\n'), results };
}

async function inSequence(stages) {
  const ended = [];
  for (const stage of stages) {
    if (stage === BENCH && process.uptime() > MAX_MINUTES_BEFORE_BENCH * 60)
      process.stdout.write(
        `${stage.name} | LEFT OUT: ${MAX_MINUTES_BEFORE_BENCH} minutes had passed before it\n`,
      );
    else ended.push(await run(stage));
  }
  return ended;
}

const beside = async lines => (await Promise.all(lines.map(inSequence))).flat();

async function main() {
  process.stdout.write(`PROPERTY_SEED=${seed}\n`);
  const install = await run(INSTALL);
  const ended = [install];
  if (install.exitCode === 0) {
    installLts();
    for (const lines of GROUPS) ended.push(...(await beside(lines)));
  }
  const { failed, lines } = summary(ended, process.uptime());
  process.stdout.write(`PROPERTY_SEED=${seed}\n${lines.join('\n')}\n`);
  process.exitCode = failed > 0 ? 1 : 0;
}

for (const signal of ['SIGINT', 'SIGTERM'])
  process.once(signal, () => {
    for (const child of running) end(child, signal);
    process.exit(1);
  });
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
void main();
