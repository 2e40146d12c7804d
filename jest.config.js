const { availableParallelism } = require('node:os');
const { env } = require('node:process');

/** @type {import('jest').Config} */
module.exports = {
  testEnvironment: 'node',
  roots: [
    '<rootDir>/contracts',
    '<rootDir>/services',
    '<rootDir>/indexers',
    '<rootDir>/projections',
    '<rootDir>/infra',
    '<rootDir>/test',
  ],
  testMatch: ['**/*.test.ts'],
  // Run by `npm run test:servers` and, what starts programs again and again or for long, `npm run test:programs`.
  testPathIgnorePatterns: [
    '/node_modules/',
    ...['servers', 'crash', 'faults', 'outside-client'].map(folder => `<rootDir>/test/${folder}/`),
  ],
  globalSetup: '<rootDir>/test/setup/start.js',
  globalTeardown: '<rootDir>/test/setup/stop.js',
  // These are published as ES modules only, which jest cannot require as they are.
  transform: {
    '^.+\\.ts$|/node_modules/(?:jose|expo-server-sdk)/.+\\.js$': [
      '@swc/jest',
      { jsc: { target: 'es2022', parser: { syntax: 'typescript' } } },
    ],
  },
  // Imports at run time name the compiled file.
  moduleNameMapper: {
    '^(\\.{1,2}/(?:[\\w-]+/)+[\\w-]+)\\.js$': '$1',
    // zod brings fifty languages, of which one is used; jest loads every module again for each test file.
    '^\\.\\./locales/index\\.cjs$': '<rootDir>/node_modules/zod/v4/locales/en.cjs',
  },
  transformIgnorePatterns: ['/node_modules/(?!(?:jose|expo-server-sdk)/)'],
  moduleFileExtensions: ['ts', 'js', 'json'],
  testSequencer: '<rootDir>/test/setup/sequencer.js',
  watchman: false,
  // More than there are cores: many tests wait for processes that they have started.
  maxWorkers: availableParallelism() + 1,
  // Meant for what hangs: a busy machine is no reason to fail. Scaled tests take as much longer.
  testTimeout: 300_000 * Math.max(1, Number(env.PROPERTY_SCALE ?? 1)),
};
