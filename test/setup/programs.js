/*
 * Tests run inside the process of jest. Apart are those that start the whole program, kill a process to see what it has lost, or
 * need what Node does not bring (python3, for the second verifier), and those of the local networks, which few changes concern:
 * their folders and names are here, `npm run test:programs` runs them, and `npm test` all others and test/smoke.test.ts, which
 * starts the whole program once. `npm run lint` fails on a test elsewhere that starts it.
 */

/** Kill processes: test:crash runs them in full size. */
const KILLING = ['/test/(?:crash|faults|outside-client)/', '[./]crash\\.test\\.ts$'];

/** Patterns of paths. */
const PROGRAMS = ['/test/(?:bench|e2e|second-verifier)/', '/infra/devnet/', ...KILLING];

module.exports = { KILLING, PROGRAMS };
