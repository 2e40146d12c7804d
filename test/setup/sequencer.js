const { readFileSync } = require('node:fs');
const { default: Sequencer } = require('@jest/test-sequencer');
const { KILLING } = require('./programs');

/*
 * Without the durations of an earlier run, as on a clean clone, jest begins with the largest files. Those that start programs, or
 * servers of their own, are small and wait for minutes, most of all those that run the whole tour or kill programs: started last,
 * they would leave the other workers idle.
 */

const KILLS_PROGRAMS = new RegExp(KILLING.join('|'));
const USES_CRASH_LOAD = /^import .*'.*\/crash\/[\w-]+-load';$/m;
const RUNS_TOUR = /^import .*'.*\/tour';$/m;
const STARTS_PROGRAMS = /^import .*'.*\/(?:starts-programs|dedicated-servers)';$/m;

/** The lower, the earlier. */
function rank({ path, duration }) {
  if (duration !== undefined) return 3;
  const text = readFileSync(path, 'utf8');
  if (RUNS_TOUR.test(text)) return 0;
  if (KILLS_PROGRAMS.test(path) || USES_CRASH_LOAD.test(text)) return 1;
  return STARTS_PROGRAMS.test(text) ? 2 : 3;
}

/** As the default of jest, but what waits for programs comes first as long as it is not known how long it takes. */
module.exports = class ProgramsFirst extends Sequencer {
  sort(tests) {
    const ranked = super.sort(tests).map(test => ({ test, rank: rank(test) }));
    return ranked.sort((a, b) => a.rank - b.rank).map(({ test }) => test);
  }
};
