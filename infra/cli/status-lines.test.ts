import type { ProjectionStatus } from '../../projections/engine/status';
import { offSources, statusLines, type Status } from './status-lines';

const projection = (name: string, changes: Partial<ProjectionStatus> = {}): ProjectionStatus => ({
  name,
  version: 1,
  generation: 1,
  state: 'live',
  checkpoint: null,
  head: null,
  lag: 0,
  fault: null,
  incomplete: null,
  building: null,
  ...changes,
});

const status = (changes: Partial<Status> = {}): Status => ({
  program: {
    running: true,
    url: 'http://127.0.0.1:3000',
    pid: 7,
    startedAt: '2026-11-26T10:00:00.000Z',
    status: 'ready',
    checks: { event_store: 'ok', ton_mainnet_sources: 'ok', solana_devnet_sources: 'ok' },
  },
  off: [],
  events: 9,
  projections: Array.from({ length: 48 }, (_, i) => projection(`p${i}`)),
  indexers: ['ton mainnet', 'ton testnet', 'solana mainnet', 'solana devnet'].map(indexer => ({
    indexer,
    indexedHeight: 10,
    tip: 12,
    gap: null,
  })),
  ledgerTree: { events: 3, includedUpTo: 9 },
  jobs: { waiting: 7, delayed: 6, running: 2, failed: 3 },
  deadLetters: 0,
  lostData: null,
  disk: { folder: './data', bytes: 13_300_000, freeBytes: 80_200_000_000 },
  ...changes,
});

test('a program without faults fits a screen of 24 lines and 80 columns', () => {
  const lines = statusLines(status());
  expect(lines.length).toBeLessThanOrEqual(24);
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(80);
  expect(lines[0]).toBe('tidemark is ready at http://127.0.0.1:3000 (pid 7 since 2026-11-26T10:00:00Z)');
  const text = lines.join('\n');
  expect(text).toContain('all 48 projections are up to date');
  expect(text).toContain('sources: ton mainnet, solana devnet');
  expect(text).toMatch(/disk +13.3 MB in \.\/data, 80.2 GB free/);
  expect(text).toMatch(/jobs +1 due, 2 running, 3 failed, 6 for later/);
});

test('of a ledger tree that is behind it says up to where it is, and what adds the rest', () => {
  const behind = { ledgerTree: { events: 3, includedUpTo: 7 } };
  expect(statusLines(status(behind)).join('\n')).toMatch(
    /ledger tree +3 events up to position 7; the program adds what follows\n/,
  );
  const program = { running: false, url: null, starting: false, killed: null, reason: 'none' } as const;
  expect(statusLines(status({ ...behind, program })).join('\n')).toMatch(
    /; the next start adds what follows\n/,
  );
});

test('what is stopped comes before what is behind, and the rest is one line', () => {
  const projections = [
    projection('up'),
    projection('behind', { state: 'catching-up', lag: 5 }),
    projection('stopped', {
      state: 'stopped',
      lag: 2,
      fault: { at: 'position 3', error: 'no such fee', since: '2026-11-26T10:00:00.000Z' },
    }),
    projection('built', { building: { generation: 2, version: 2, done: 1, total: 4 } }),
  ];
  const text = statusLines(status({ projections })).join('\n');
  expect(text).toMatch(
    /PROJECTION.*\nstopped +stopped +2 +position 3: no such fee\nbehind +catching-up +5\nbuilt +live +0 +building 1\/4\n1 other is up to date/,
  );
});

test('a hundred projections that are behind leave room for the rest', () => {
  const projections = Array.from({ length: 100 }, (_, i) =>
    projection(`p${i}`, { lag: i + 1, state: 'catching-up' }),
  );
  const lines = statusLines(status({ projections }));
  expect(lines.length).toBeLessThanOrEqual(32);
  expect(lines.join('\n')).toContain('and 92 more');
  expect(lines.join('\n')).toContain('p99');
});

test('observations that are behind together are one row, and one that has stopped is its own', () => {
  const projections = [
    ...Array.from({ length: 31 }, (_, i) =>
      projection(`observed-${i}`, {
        lag: i + 1,
        ...(i < 2 && { building: { generation: 2, version: 2, done: 1, total: 4 } }),
      }),
    ),
    projection('observed-stopped', { state: 'stopped', lag: 3 }),
    projection('fees', { lag: 2 }),
  ];
  expect(statusLines(status({ projections })).join('\n')).toMatch(
    /PROJECTION.*\nobserved-stopped +stopped +3\n31 of observed-… +live +31 +building 2\/8\nfees +live +2\n\nINDEXER/,
  );
  expect(statusLines(status({ projections: projections.slice(30) })).join('\n')).toMatch(
    /observed-30 +live +31\n/,
  );
});

test('each check that fails is named, on a line of its own', () => {
  const reason = `http://127.0.0.1:1 cannot be read: connect ECONNREFUSED 127.0.0.1:1; ${'x'.repeat(500)}`;
  const checks = { ton_mainnet_sources: reason, solana_devnet_sources: 'ok' };
  const program = { ...status().program, status: 'degraded', checks } as Status['program'];
  const [first, sources, failed] = statusLines(status({ program }));
  expect(first).toMatch(/^tidemark is degraded at /);
  expect(sources).toBe('sources: solana devnet');
  expect(failed).toMatch(/^! ton_mainnet_sources: .*ECONNREFUSED.*…$/);
});

test.each([
  [false, /^no program answers at http:\/\/127\.0\.0\.1:3000: connect ECONNREFUSED$/],
  [true, /^tidemark has claimed the data folder and does not answer/],
])('a program that does not answer (starting: %j) is said first', (starting, words) => {
  const program = {
    running: false as const,
    url: 'http://127.0.0.1:3000',
    starting,
    killed: null,
    reason: 'connect ECONNREFUSED',
  };
  expect(statusLines(status({ program }))[0]).toMatch(words);
});

test('of a program that was killed it says so', () => {
  const program = {
    running: false as const,
    url: 'http://127.0.0.1:3000',
    starting: false,
    killed: { pid: 7, startedAt: '2026-11-26T10:00:00.000Z' },
    reason: 'connect ECONNREFUSED',
  };
  expect(statusLines(status({ program }))[1]).toBe(
    'the last one (pid 7 since 2026-11-26T10:00:00Z) was killed, or the machine failed: a start continues where it was',
  );
});

test('a network that is off is named as such, and is no fault', () => {
  const program = status().program;
  if (!program.running) throw new Error('not running');
  const checks = { ...program.checks, ton_testnet_sources: 'off', solana_devnet_sources: 'off' };
  expect(offSources(checks)).toEqual(['solana devnet', 'ton testnet']);
  const text = statusLines(status({ program: { ...program, checks }, off: offSources(checks) })).join('\n');
  expect(text).toContain('sources: ton mainnet\n');
  expect(text).toContain('off: solana devnet, ton testnet\n');
  expect(text).not.toContain('!');
});
