const { availableParallelism } = require('node:os');
const base = require('../../jest.config.js');
const { PROGRAMS } = require('./programs');

/** What `npm test` leaves out because it starts whole programs. */
module.exports = {
  ...base,
  rootDir: '../..',
  testMatch: undefined,
  testRegex: PROGRAMS.map(pattern => (pattern.endsWith('$') ? pattern : `${pattern}.*\\.test\\.ts$`)),
  testPathIgnorePatterns: ['/node_modules/', '/test/servers/'],
  // More than half of the time they wait for programs, blocks and what was killed.
  maxWorkers: Math.ceil(2.5 * availableParallelism()),
};
