const { availableParallelism } = require('node:os');
const { env } = require('node:process');
const { globalSetup: _start, globalTeardown: _stop, ...base } = require('../../jest.config.js');

const only = env.SERVERS_ONLY?.split(',');

/** The tests that need servers. `npm run test:servers` starts these and passes their addresses in the environment. */
module.exports = {
  ...base,
  rootDir: '../..',
  // Not among the temporary files, which are gone after a run.
  cacheDirectory: '<rootDir>/node_modules/.cache/jest',
  roots: ['<rootDir>/test/servers'],
  testMatch: only?.map(name => `**/test/servers/${name}.*.test.ts`) ?? ['**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/'],
  // Each starts up to ten processes: with more at a time the limits of time of the program itself decide.
  maxWorkers: availableParallelism(),
  // Several servers and programs share the machine with each test.
  testTimeout: 600_000 * Math.max(1, Number(env.PROPERTY_SCALE ?? 1)),
};
