/**
 * Which folder may import which. `test/lint` proves that the rules catch what they forbid, and that CONTRIBUTING says the
 * same. `from` may import itself and `to`, nothing else of ours.
 */
const DIRECTIONS = [
  { from: 'contracts', to: [] },
  { from: 'projections', to: ['contracts'] },
  { from: 'services', to: ['contracts', 'projections'] },
  { from: 'indexers', to: ['contracts'] },
  { from: 'infra', to: ['contracts', 'projections', 'services', 'indexers'] },
];

/** The floors of `infra`, bottom up: each may import those that it names, and itself. */
const FLOORS = [
  { from: 'config', to: [] },
  { from: 'engines', to: ['config'] },
  { from: 'devnet', to: ['config', 'engines'] },
  { from: 'verifier', to: ['config', 'engines'] },
  { from: 'console', to: [] },
  { from: 'program', to: ['config', 'engines', 'devnet', 'verifier', 'console'] },
  { from: 'cli', to: ['config', 'engines', 'devnet', 'verifier', 'program'] },
];

/** What all functional groups of a folder stand on; groups import these, and never each other. */
const SHARED = {
  services: [
    'http',
    'commands',
    'reads',
    'callers',
    'signing',
    'wallet-v5',
    'auth',
    'audit',
    'idempotency',
    'ledger-tree',
    'reactions',
    'observations',
    'retention',
    'personal-texts',
  ],
  projections: ['engine', 'as-of', 'observations'],
  indexers: ['observations'],
};

/** What the program itself stands on: `services/instance` is no group, and the chains' sources are opened for all groups. */
const OF_PROGRAM = {
  services: [...SHARED.services, 'instance'],
  projections: SHARED.projections,
  indexers: [...SHARED.indexers, 'ton', 'solana'],
};

const ROOMS = DIRECTIONS.map(({ from }) => from);

/** Tests beside the source meet real adapters, doubles and contract suites. */
const TESTS = '\\.test\\.ts$';

const directions = DIRECTIONS.map(({ from, to }) => ({
  name: `${from}-imports-only-${to.join('-') || 'itself'}`,
  severity: 'error',
  from: { path: `^${from}/`, pathNot: TESTS },
  to: { path: `^(${[...ROOMS, 'test'].filter(room => room !== from && !to.includes(room)).join('|')})/` },
}));

const floors = FLOORS.map(({ from, to }) => ({
  name: `infra-${from}-imports-only-${to.join('-') || 'itself'}`,
  severity: 'error',
  from: { path: `^infra/${from}/`, pathNot: TESTS },
  to: { path: '^infra/([^/]+)/', pathNot: `^infra/(?:${[from, ...to].join('|')})/` },
}));

const siblings = Object.entries(SHARED).map(([room, shared]) => ({
  name: `${room}-groups-are-independent`,
  severity: 'error',
  from: { path: `^${room}/([^/]+)/`, pathNot: TESTS },
  to: { path: `^${room}/([^/]+)/`, pathNot: `^${room}/(?:$1|${shared.join('|')})/` },
}));

const groupsOf = ([room, shared]) => `^${room}/(?!(?:${shared.join('|')})/)[^/]+/`;

module.exports = {
  forbidden: [
    ...directions,
    ...floors,
    ...siblings,
    {
      name: 'devnet-behind-its-entrance',
      comment: 'The program sees what infra/devnet/devnet.ts exports.',
      severity: 'error',
      from: { path: '^infra/(?!devnet/)', pathNot: TESTS },
      to: { path: '^infra/devnet/', pathNot: '^infra/devnet/devnet\\.ts$' },
    },
    {
      name: 'console-knows-the-http-api-alone',
      comment: 'It runs in browsers.',
      severity: 'error',
      from: { path: '^infra/console/browser/', pathNot: TESTS },
      to: {
        path: `^(?:${ROOMS.join('|')})/`,
        pathNot: ['^infra/console/browser/', '^contracts/(?:http|problem)/'],
      },
    },
    {
      name: 'console-imports-types-of-contracts',
      comment: 'Of the HTTP API it has the types, which are gone in a browser.',
      severity: 'error',
      from: { path: '^infra/console/browser/', pathNot: TESTS },
      to: { path: '^contracts/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'program-knows-no-group',
      comment: 'What it has to know of one is in infra/program/features/, as a field of Feature.',
      severity: 'error',
      from: { path: '^infra/program/', pathNot: [TESTS, '^infra/program/features(?:/|\\.ts$)'] },
      to: { path: ['^infra/program/features/', ...Object.entries(OF_PROGRAM).map(groupsOf)] },
    },
    {
      name: 'no-circular',
      comment: 'A circle of types counts as a circle.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'programs-apart',
      comment: '`npm test` leaves these folders out, see test/setup/programs.js.',
      severity: 'error',
      from: {
        path: TESTS,
        pathNot: '^test/(?:smoke\\.test\\.ts$|(?:e2e|crash|faults|outside-client|servers)/)',
      },
      to: { path: '^test/e2e/tidemark\\.ts$', reachable: true },
    },
    {
      name: 'libsql-behind-its-driver',
      comment: 'Its statements abort the process on some values; the driver guards against that.',
      severity: 'error',
      from: { pathNot: ['^infra/engines/sqlite/', '^test/'] },
      to: { path: 'node_modules/libsql' },
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^dist/' },
    enhancedResolveOptions: { extensions: ['.ts', '.tsx', '.js', '.json'] },
  },
};
