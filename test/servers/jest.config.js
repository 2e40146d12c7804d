const { env } = require('node:process');
const base = require('../../jest.config.js');

const only = env.SERVERS_ONLY?.split(',');

/** The tests that need servers; `npm run test:servers` starts these and tells where they are in the environment. */
module.exports = {
  ...base,
  rootDir: '../..',
  roots: ['<rootDir>/test/servers'],
  testMatch: only?.map(name => `**/test/servers/${name}.*.test.ts`) ?? ['**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/'],
  testTimeout: 120_000,
};
