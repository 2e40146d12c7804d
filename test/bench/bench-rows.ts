import { availableParallelism } from 'node:os';
import { InvalidArgumentError, Option } from 'commander';
import type { Figure } from './figure';
import type { Size } from './row';
import { measureRows } from './measure-rows';
import { appendRun, currentLoad } from './run-history';
import { tableOf } from './table';

export interface Flags {
  readonly quick: boolean;
  readonly smallest: boolean;
  /** Minutes for one row. */
  readonly limit: number;
  readonly record: boolean;
}

/** Several times what the slowest row takes on the machine of the README. */
const LIMIT_MINUTES = 30;

const positive = (text: string): number => {
  const minutes = Number(text);
  if (!(minutes > 0)) throw new InvalidArgumentError('not a positive number');
  return minutes;
};

const withoutGoal = ({ goal: _, reached: __, ...measured }: Figure): Figure => measured;

/** The options that every bench has. */
export function benchOptions(): Option[] {
  return [
    new Option('--quick', 'smaller amounts').default(false),
    new Option('--smallest', 'only to see that each row runs: no figure is judged')
      .default(false)
      .conflicts('quick'),
    new Option('--limit <minutes>', 'for one row').argParser(positive).default(LIMIT_MINUTES),
    new Option('--no-record', 'do not append to the history'),
  ];
}

/**
 * Measures the rows and prints the table, of each row as it ends, and of all at the end. What has been measured is in the
 * history also when the run is interrupted. A row that failed is named, and makes the exit code 1.
 */
export async function benchRows(
  names: readonly string[],
  { quick, smallest, limit, record }: Flags,
  servers: { readonly env?: NodeJS.ProcessEnv; readonly servers?: readonly string[] } = {},
): Promise<void> {
  const size: Size = smallest ? 'smallest' : quick ? 'quick' : 'full';
  const began = performance.now();
  const load = currentLoad();
  const all: Figure[] = [];
  let history: string | null = null;
  const failed = await measureRows(names, {
    size,
    concurrency: smallest ? availableParallelism() : 1,
    limitMs: limit * 60_000,
    ...(servers.env && { env: servers.env }),
    onRow(name, measured, seconds) {
      const figures = smallest ? measured.map(withoutGoal) : measured;
      all.push(...figures);
      process.stdout.write(`${tableOf(figures).join('\n')}\n\n`);
      const run = {
        scale: size,
        load: currentLoad(),
        seconds,
        rows: { [name]: figures },
      };
      if (record) history = appendRun({ ...run, ...(servers.servers && { servers: servers.servers }) });
    },
  });
  if (names.length > 1 && all.length > 0) process.stdout.write(`${tableOf(all).join('\n')}\n`);
  process.stderr.write(
    `${Math.round((performance.now() - began) / 1_000)} s, load ${load} at the beginning\n`,
  );
  if (history !== null) process.stderr.write(`appended to ${String(history)}\n`);
  for (const [name, reason] of failed) process.stderr.write(`FAILED ${name}: ${reason}\n`);
  if (failed.size > 0) process.exitCode = 1;
}
