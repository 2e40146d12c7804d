const { spawn } = require('node:child_process');
const { randomInt } = require('node:crypto');
const process = require('node:process');
const { KILLING } = require('./programs');

/*
 * npm run test:programs | test:crash | test:fuzz [-- options of jest]
 *
 * Runs tests of whole programs, see programs.js, or random tests, at many times the size of `npm test`, with a fresh seed.
 * PROPERTY_SCALE and PROPERTY_SEED set both.
 */

// As in `npm test`: new objects live short, and with more room an eighth less processor time is spent on collecting them.
const MEMORY = '--max-semi-space-size=64';

const ignoring = (...paths) => paths.flatMap(path => ['--testPathIgnorePatterns', path]);

const ARGUMENTS = {
  // What `npm test` leaves out.
  programs: ['--config', require.resolve('./programs.config')],
  // Those that kill programs.
  crash: [...KILLING, ...ignoring('/node_modules/', '/test/servers/')],
  // All tests that use test/random.ts, the fuzz of 100,000 requests among them.
  fuzz: [
    ...['--findRelatedTests', 'test/random.ts'],
    ...ignoring('/node_modules/', '/test/servers/', ...KILLING),
  ],
};

const SCALES = { programs: '3', crash: '12', fuzz: '12' };

const [name, ...options] = process.argv.slice(2);
const env = {
  ...process.env,
  PROPERTY_SCALE: process.env.PROPERTY_SCALE ?? SCALES[name],
  PROPERTY_SEED: process.env.PROPERTY_SEED ?? String(randomInt(2 ** 31)),
};

process.stderr.write(
  `PROPERTY_SCALE=${env.PROPERTY_SCALE} PROPERTY_SEED=${env.PROPERTY_SEED} npm run test:${name}\n`,
);
// A cycle of a killed program takes seconds, and a scaled test has many.
const limit =
  name === 'fuzz' ? [] : ['--testTimeout', String(300_000 * Math.max(1, Number(env.PROPERTY_SCALE)))];
const jest = [MEMORY, require.resolve('jest/bin/jest'), ...limit, ...options, ...ARGUMENTS[name]];
spawn(process.execPath, jest, { env, stdio: 'inherit' }).on('exit', code => (process.exitCode = code ?? 1));
