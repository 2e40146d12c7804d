import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Command } from 'commander';
import { printable } from '../../config/printable';

/** Prints the result of a command: with `--json` for programs, else the lines for people. */
export function print(result: unknown, lines: readonly string[], command: Command): void {
  if (isJson(command)) printJson(result);
  else process.stdout.write(lines.map(line => `${line}\n`).join(''));
}

/** Prints a result as one line of JSON, also without `--json`. */
export function printJson(result: unknown): void {
  process.stdout.write(`${JSON.stringify(result)}\n`);
}

const isJson = (command: Command): boolean => command.optsWithGlobals<{ json: boolean }>().json;

/** Prints results as they come, a line each, with back-pressure; ends early when the pipe is closed. */
export async function printEach<Result>(
  results: AsyncIterable<Result>,
  line: (result: Result) => string,
  command: Command,
): Promise<void> {
  const json = isJson(command);
  async function* lines(): AsyncIterable<string> {
    for await (const result of results) yield `${json ? JSON.stringify(result) : printable(line(result))}\n`;
  }
  try {
    await pipeline(Readable.from(lines()), process.stdout, { end: false });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPIPE') throw error;
  }
}

/** Rows as columns of equal width; the first row is the header. */
export function table(texts: readonly (readonly string[])[]): string[] {
  const rows = texts.map(row => row.map(printable));
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map(row => row[column]?.length ?? 0)));
  return rows.map(row =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}
