import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** Prints a result: JSON for programs, else the lines for people. The only file of the commands that writes to stdout. */
export function print(result: unknown, lines: readonly string[], options: { readonly json: boolean }): void {
  process.stdout.write(
    options.json ? `${JSON.stringify(result)}\n` : lines.map(line => `${line}\n`).join(''),
  );
}

/** Prints results as they come, a line each, with back-pressure; ends early when the pipe is closed. */
export async function printEach<Result>(
  results: AsyncIterable<Result>,
  line: (result: Result) => string,
  options: { readonly json: boolean },
): Promise<void> {
  async function* lines(): AsyncIterable<string> {
    for await (const result of results) yield `${options.json ? JSON.stringify(result) : line(result)}\n`;
  }
  try {
    await pipeline(Readable.from(lines()), process.stdout, { end: false });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPIPE') throw error;
  }
}

/** Rows as columns of equal width; the first row is the header. */
export function table(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map(row => row[column]?.length ?? 0)));
  return rows.map(row =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}
