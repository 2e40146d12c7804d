const { readFileSync } = require('node:fs');
const { default: Sequencer } = require('@jest/test-sequencer');
const { KILLING } = require('./programs');

/*
 * Without the durations of an earlier run, as on a clean clone, jest begins with the largest files. Those that start programs, or
 * servers of their own, are small and wait for minutes, most of all those that kill programs or run the whole tour: started last,
 * they would leave the other workers idle.
 */

const KILLS_PROGRAMS = new RegExp(KILLING.join('|'));
const RUNS_TOUR = /^import .*'.*\/tour';$/m;
const STARTS_PROGRAMS = /^import .*'.*\/(?:starts-programs|dedicated-servers)';$/m;

/** The lower, the earlier. */
function rank({ path, duration }) {
  if (duration !== undefined) return 2;
  const text = readFileSync(path, 'utf8');
  if (KILLS_PROGRAMS.test(path) || RUNS_TOUR.test(text)) return 0;
  return STARTS_PROGRAMS.test(text) ? 1 : 2;
}

/** As the default of jest, but what waits for programs comes first as long as it is not known how long it takes. */
module.exports = class ProgramsFirst extends Sequencer {
  sort(tests) {
    const ranked = super.sort(tests).map(test => ({ test, rank: rank(test) }));
    return ranked.sort((a, b) => a.rank - b.rank).map(({ test }) => test);
  }
};
