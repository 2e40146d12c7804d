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

it('prints each row that can be measured, judges none at the smallest size, names those that fail or take too long, and ends what they started', async () => {
  const rows = ['throws', 'hangs', 'measures'].map(name => `../doubles/${name}`);
  const flags = { quick: false, smallest: true, limit: 0.25, record: false };
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [
      '-e',
      `void require(${JSON.stringify(PROGRAM)}).benchRows(${JSON.stringify(rows)}, ${JSON.stringify(flags)})`,
    ],
    { encoding: 'utf8' },
  );
  expect(stdout).toContain('a measured row');
  expect(stdout).not.toContain('NO');
  expect(stderr).toContain('no such thing');
  expect(stderr).toContain('FAILED ../doubles/throws: ended with 1');
  expect(stderr).toContain('FAILED ../doubles/hangs: not measured within 15 s');
  expect(stderr).not.toContain('FAILED ../doubles/measures');
  expect(status).toBe(1);
  await until(() => !isRunning(Number(/started (\d+)/.exec(stderr)![1])));
});
