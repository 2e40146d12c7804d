/*
 * `npm test` is for every change, within minutes: it runs what runs inside the process of jest, and test/smoke.test.ts, which
 * starts the whole program once. Apart are tests that start the whole program, kill a process to see what it has lost, need what
 * Node does not bring (python3, for the second verifier), or make blocks: those of the local networks, and those that follow one
 * for all that is shown of a chain. Their folders and names are here, `npm run test:programs` runs them, and `.ci/run` all.
 * `npm run lint` fails on a test elsewhere that starts the whole program.
 */

/** Kill processes: test:crash runs them in full size. */
const KILLING = ['/test/(?:crash|faults|outside-client)/', '[./]crash\\.test\\.ts$'];

/** Make blocks of the local networks. */
const NETWORKS = ['/infra/devnet/', '/test/(?:gasless|solana|staking|ton|watch)/'];

/** Patterns of paths. */
const PROGRAMS = ['/test/(?:bench|e2e|second-verifier)/', ...NETWORKS, ...KILLING];

module.exports = { KILLING, PROGRAMS };
