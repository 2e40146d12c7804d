import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '..', '..');

const testFiles = execFileSync(
  'git',
  ['ls-files', '-co', '--exclude-standard', '--deduplicate', '*.test.ts', 'test/**/*.ts'],
  {
    cwd: root,
    encoding: 'utf8',
  },
)
  .split('\n')
  .filter(file => file !== '' && !file.startsWith('test/bench/') && !file.startsWith('test/lint/'));

const filesWith = (pattern: RegExp): string[] =>
  testFiles.filter(file => {
    try {
      return pattern.test(readFileSync(join(root, file), 'utf8'));
    } catch {
      // Deleted, and git does not know it yet.
      return false;
    }
  });

it('no test uses a generator without a seed', () => {
  expect(filesWith(/Math\.random\(/)).toEqual([]);
});

it('the runs of every property come from runs(), which scales and seeds them', () => {
  const asserting = filesWith(/\bfc\.assert\(/);
  expect(asserting.length).toBeGreaterThan(20);
  const scaling = filesWith(/\bruns\([\d_]+\)/);
  expect(asserting.filter(file => !scaling.includes(file))).toEqual([]);
  expect(filesWith(/numRuns: \d[\d_]*(?!.*seed)/)).toEqual([]);
});
