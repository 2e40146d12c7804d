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

const OTHERS = 3;

/** The lower, the earlier. */
function rank({ path, duration }) {
  if (duration !== undefined) return OTHERS;
  const text = readFileSync(path, 'utf8');
  if (RUNS_TOUR.test(text)) return 0;
  if (KILLS_PROGRAMS.test(path) || USES_CRASH_LOAD.test(text)) return 1;
  return STARTS_PROGRAMS.test(text) ? 2 : OTHERS;
}

/** One of each in turn, as long as there are both. */
const alternating = (some, others) =>
  Array.from({ length: Math.max(some.length, others.length) }, (_, n) => [
    ...some.slice(n, n + 1),
    ...others.slice(n, n + 1),
  ]).flat();

/**
 * As the default of jest, but what waits for programs comes first as long as it is not known how long it takes. Each time one of
 * the others is next, which uses the processor meanwhile.
 */
module.exports = class ProgramsFirst extends Sequencer {
  sort(tests) {
    const ranked = super.sort(tests).map(test => ({ test, rank: rank(test) }));
    const waiting = ranked.filter(test => test.rank < OTHERS).sort((a, b) => a.rank - b.rank);
    const others = ranked.filter(test => test.rank === OTHERS);
    return alternating(waiting, others).map(({ test }) => test);
  }
};
