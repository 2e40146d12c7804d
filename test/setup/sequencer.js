const { readFileSync } = require('node:fs');
const { default: Sequencer } = require('@jest/test-sequencer');

/*
 * Without the durations of an earlier run, as on a clean clone, jest begins with the largest files. Those that start programs, or
 * servers of their own, are small and wait for minutes: started last, they would leave the other workers idle.
 */

const STARTS_PROGRAMS = /^import .*'.*\/(?:starts-programs|dedicated-servers)';$/m;

/** As the default of jest, but what starts programs comes first as long as it is not known how long it takes. */
module.exports = class ProgramsFirst extends Sequencer {
  sort(tests) {
    const sorted = super.sort(tests);
    const isFirst = ({ path, duration }) =>
      duration === undefined && STARTS_PROGRAMS.test(readFileSync(path, 'utf8'));
    const first = new Set(sorted.filter(isFirst));
    return [...first, ...sorted.filter(test => !first.has(test))];
  }
};
