import { Command, Option } from 'commander';
import { run } from './child';
import type { Figure } from './figure';
import { currentLoad, remember } from './history';
import { ROWS, type RowName } from './rows';
import { tableOf } from './table';

interface Flags {
  readonly quick: boolean;
  readonly only?: RowName;
  readonly record: boolean;
}

/** Each row in a process of its own: none inherits the heap, the caches or the open files of another. */
async function measure(name: RowName, quick: boolean): Promise<readonly Figure[]> {
  const child = run('measure-row', [name, quick ? 'quick' : 'full']);
  const figures = await child.next<readonly Figure[]>();
  await child.ended();
  return figures;
}

async function bench({ quick, only, record }: Flags): Promise<void> {
  const began = performance.now();
  const load = currentLoad();
  const rows: Partial<Record<RowName, readonly Figure[]>> = {};
  for (const name of only ? [only] : ROWS) {
    process.stderr.write(`${name}\n`);
    rows[name] = await measure(name, quick);
  }
  const seconds = Math.round((performance.now() - began) / 1_000);
  process.stdout.write(`${tableOf(Object.values(rows).flat()).join('\n')}\n`);
  process.stderr.write(`${seconds} s, load ${load} at the beginning\n`);
  if (record) process.stderr.write(`appended to ${remember({ quick, load, seconds, rows })}\n`);
}

new Command('bench')
  .description('measures the product against the floors of the same run')
  .option('--quick', 'less of everything, in two minutes', false)
  .addOption(new Option('--only <row>', 'one row').choices(ROWS))
  .option('--no-record', 'leave the history as it is')
  .action(bench)
  .parseAsync()
  .catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  });
