const base = require('../../jest.config.js');
const { PROGRAMS } = require('./programs');

/** What `npm test` leaves out because it starts whole programs. */
module.exports = {
  ...base,
  rootDir: '../..',
  testMatch: undefined,
  testRegex: PROGRAMS.map(pattern => (pattern.endsWith('$') ? pattern : `${pattern}.*\\.test\\.ts$`)),
  testPathIgnorePatterns: ['/node_modules/', '/test/servers/'],
};
