const { availableParallelism } = require('node:os');
const { env } = require('node:process');
const { PROGRAMS } = require('./test/setup/programs');

/** @type {import('jest').Config} */
module.exports = {
  testEnvironment: '<rootDir>/test/setup/environment.js',
  runtime: '<rootDir>/test/setup/runtime.js',
  roots: [
    '<rootDir>/contracts',
    '<rootDir>/services',
    '<rootDir>/indexers',
    '<rootDir>/projections',
    '<rootDir>/infra',
    '<rootDir>/test',
  ],
  testMatch: ['**/*.test.ts'],
  // Run by `npm run test:servers` and `npm run test:programs`.
  testPathIgnorePatterns: ['/node_modules/', '/test/servers/', ...PROGRAMS],
  testSequencer: '<rootDir>/test/setup/sequencer.js',
  reporters: ['default', '<rootDir>/test/setup/unfinished.js'],
  globalSetup: '<rootDir>/test/setup/start.js',
  globalTeardown: '<rootDir>/test/setup/stop.js',
  transform: { '^.+\\.ts$': ['@swc/jest', { jsc: { target: 'es2022', parser: { syntax: 'typescript' } } }] },
  // Imports at run time name the compiled file.
  moduleNameMapper: { '^((?:\\.{1,2}/)+(?:[\\w-]+/)+[\\w-]+)\\.js$': '$1' },
  moduleFileExtensions: ['ts', 'js', 'json'],
  watchman: false,
  // More than there are cores: many tests wait for processes that they have started.
  maxWorkers: availableParallelism() + 1,
  // Of the heap. What a worker has compiled for one test file it has for the next.
  workerIdleMemoryLimit: '1GB',
  // On a busy machine a worker needs more than half a second, the default, to end.
  workerGracefulExitTimeout: 5_000,
  // Of one test. Scaled tests take as much longer; those that start programs have more, see test/starts-programs.ts.
  testTimeout: 60_000 * Math.max(1, Number(env.PROPERTY_SCALE ?? 1)),
};
