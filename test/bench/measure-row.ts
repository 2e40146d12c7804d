import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Row } from './row';

/** Program: measures the row of its argument, and sends the figures to the parent. */
async function main(name: string, quick: boolean): Promise<void> {
  const { row } = (await import(`./rows/${name}.js`)) as { row: Row };
  const folder = mkdtempSync(join(process.env['BENCH_DIR'] ?? tmpdir(), `tidemark-bench-${name}-`));
  try {
    const say = (text: string): boolean => process.stderr.write(`  ${name}: ${text}\n`);
    process.send!(await row({ quick, folder, say }));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

main(process.argv[2]!, process.argv[3] === 'quick').then(
  () => process.disconnect(),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
    process.exit(1);
  },
);
