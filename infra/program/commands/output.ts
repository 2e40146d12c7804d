import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Command } from 'commander';
import { printable } from '../../config/printable';

/** Prints the result of a command: with `--json` for programs, else the lines for people. */
export function print(result: unknown, lines: readonly string[], command: Command): void {
  if (isJson(command)) process.stdout.write(`${JSON.stringify(result)}\n`);
  else process.stdout.write(lines.map(line => `${line}\n`).join(''));
}

const isJson = (command: Command): boolean => command.optsWithGlobals<{ json: boolean }>().json;

/**
 * Prints results as they come, with back-pressure, and ends early when the pipe is closed: with `--json` a line each, else a
 * table, whose columns are as wide as its first rows need.
 * @param things what is listed, for the line where there are none
 */
export async function printTable<Result>(
  things: string,
  results: AsyncIterable<Result>,
  header: readonly string[],
  row: (result: Result) => readonly string[],
  command: Command,
): Promise<void> {
  const lines = isJson(command) ? jsonLines(results) : tableLines(things, results, header, row);
  async function* text(): AsyncIterable<string> {
    for await (const line of lines) yield `${line}\n`;
  }
  try {
    await pipeline(Readable.from(text()), process.stdout, { end: false });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPIPE') throw error;
  }
}

async function* jsonLines(results: AsyncIterable<unknown>): AsyncIterable<string> {
  for await (const result of results) yield JSON.stringify(result);
}

/** Rows that decide the widths, and are in memory at once. */
const MEASURED_ROWS = 1_000;

async function* tableLines<Result>(
  things: string,
  results: AsyncIterable<Result>,
  header: readonly string[],
  row: (result: Result) => readonly string[],
): AsyncIterable<string> {
  const measured: (readonly string[])[] = [header];
  let widths: readonly number[] | null = null;
  for await (const result of results) {
    const cells = row(result).map(printable);
    if (widths !== null) {
      yield aligned(cells, widths);
      continue;
    }
    if (measured.push(cells) <= MEASURED_ROWS) continue;
    widths = widthsOf(measured);
    for (const each of measured) yield aligned(each, widths);
  }
  if (widths === null) yield* measured.length === 1 ? [none(things)] : alignedRows(measured);
}

/** As `table`, of what was looked for; where nothing was found, a line that says so. @param things what was looked for, in the plural */
export function list(things: string, texts: readonly (readonly string[])[]): string[] {
  return texts.length === 1 ? [none(things)] : table(texts);
}

const none = (things: string): string => `no ${things}`;

/** Rows as columns of equal width; the first row is the header. */
export function table(texts: readonly (readonly string[])[]): string[] {
  return alignedRows(texts.map(row => row.map(printable)));
}

function alignedRows(rows: readonly (readonly string[])[]): string[] {
  const widths = widthsOf(rows);
  return rows.map(row => aligned(row, widths));
}

const widthsOf = (rows: readonly (readonly string[])[]): number[] =>
  (rows[0] ?? []).map((_, column) => Math.max(...rows.map(row => row[column]?.length ?? 0)));

const aligned = (row: readonly string[], widths: readonly number[]): string =>
  row
    .map((cell, column) => cell.padEnd(widths[column] ?? 0))
    .join('  ')
    .trimEnd();
