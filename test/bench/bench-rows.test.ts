import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { until } from '../until';
import '../starts-programs';

const PROGRAM = join(__dirname, '..', '..', 'dist', 'test', 'bench', 'bench-rows.js');

const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

/** @param limit minutes of a row */
const bench = (names: readonly string[], limit: number) => {
  const rows = names.map(name => `../doubles/${name}`);
  const flags = { quick: false, smallest: true, limit, record: false };
  const code = `void require(${JSON.stringify(PROGRAM)}).benchRows(${JSON.stringify(rows)}, ${JSON.stringify(flags)})`;
  return spawnSync(process.execPath, ['-e', code], { encoding: 'utf8' });
};

it('prints each row that can be measured, judges none at the smallest size, and names those that fail', () => {
  const { status, stdout, stderr } = bench(['throws', 'measures'], 10);
  expect(stdout).toContain('a measured row');
  expect(stdout).not.toContain('NO');
  expect(stderr).toContain('FAILED ../doubles/throws: no such thing');
  expect(stderr).not.toContain('FAILED ../doubles/measures');
  expect(status).toBe(1);
});

it('names a row that takes too long, and ends what it has started', async () => {
  const { status, stderr } = bench(['hangs'], 1 / 6);
  expect(stderr).toContain('FAILED ../doubles/hangs: not measured within 10 s');
  expect(status).toBe(1);
  await until(() => !isRunning(Number(/started (\d+)/.exec(stderr)![1])));
});
