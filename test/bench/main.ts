import { Command, Option } from 'commander';
import { messageOf } from '../../contracts/error-message';
import { currentLoad, appendRun } from './run-history';
import { measureRows } from './measure-rows';
import { ROWS, type RowName } from './rows';
import { tableOf } from './table';

interface Flags {
  readonly quick: boolean;
  readonly only?: RowName;
  readonly record: boolean;
}

async function bench({ quick, only, record }: Flags): Promise<void> {
  const began = performance.now();
  const load = currentLoad();
  const rows = await measureRows(only ? [only] : ROWS, quick);
  const seconds = Math.round((performance.now() - began) / 1_000);
  process.stdout.write(`${tableOf(Object.values(rows).flat()).join('\n')}\n`);
  process.stderr.write(`${seconds} s, load ${load} at the beginning\n`);
  if (record) process.stderr.write(`appended to ${appendRun({ quick, load, seconds, rows })}\n`);
}

new Command('bench')
  .description('measures the product against the floors of the same run')
  .option('--quick', 'smaller amounts, in two minutes', false)
  .addOption(new Option('--only <row>', 'only one row').choices(ROWS))
  .option('--no-record', 'do not append to the history')
  .action(bench)
  .parseAsync()
  .catch((error: unknown) => {
    process.stderr.write(`${messageOf(error)}\n`);
    process.exitCode = 1;
  });
