const { default: Sequencer } = require('@jest/test-sequencer');

/*
 * The tests that take longest, longest first. Without the durations of an earlier run, as on a clean clone, jest begins with
 * the largest files; a small one that runs for minutes would be started last and leave the other workers idle.
 */
const LONGEST = [
  ...['tour', 'engine-crash', 'migration', 'role-crash', 'backup'].map(name => `servers/tidemark.${name}`),
  'servers/mongodb.faults',
  'servers/tidemark.account-stream',
  ...['kill-program', 'outside-client-ton', 'exchange-orders'].map(name => `crash/${name}`),
  'outside-client/storage/shared-setting',
  ...['outside-client-solana', 'push', 'bridge'].map(name => `crash/${name}`),
  ...['local-traffic', 'program', 'operations'].map(name => `e2e/${name}`),
  'solana/account-stream',
  'bridge/bridge',
  'wallet-requests/requests',
].map(name => `/test/${name}.test.ts`);

/** As the default of jest, but tests of unknown duration that are long start first. */
module.exports = class LongestFirst extends Sequencer {
  sort(tests) {
    const rank = ({ path, duration }) => {
      const place = LONGEST.findIndex(end => path.endsWith(end));
      return duration === undefined && place >= 0 ? place : LONGEST.length;
    };
    return super.sort([...tests]).sort((one, other) => rank(one) - rank(other));
  }
};
module.exports.LONGEST = LONGEST;
